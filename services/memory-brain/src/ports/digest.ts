/** `sha256:` and the hex digest of the UTF-8 bytes of a text. */
export type Digest = (text: string) => string;
