/**
 * Items of a conversation, in the shapes of the OpenAI Responses API as far as the engine looks into them. Text above
 * `INLINE_CHARS_MAX` is kept as an artifact: the field is then empty and `<field>_ref` holds its digest.
 */

/** Longest text that an event carries itself (32 Ki UTF-16 units); longer ones go to the artifact store. */
export const INLINE_CHARS_MAX = 32 * 1024;

export interface MessageItem {
  readonly type: "message";
  readonly role: "user" | "assistant" | "system" | "developer";
  readonly text: string;
  readonly text_ref?: string;
  /** Content parts other than text (images, files), passed on to the model as they are. */
  readonly parts?: readonly unknown[];
  readonly parts_ref?: string;
}

export interface ReasoningItem {
  readonly type: "reasoning";
  readonly text: string;
  readonly text_ref?: string;
  /** What its provider wants back with it, unread by others. */
  readonly signature?: string;
  readonly signature_ref?: string;
  /** The provider keeps the text to itself: all there is of it is the signature. */
  readonly redacted?: boolean;
}

export interface FunctionCallItem {
  readonly type: "function_call";
  readonly call_id: string;
  readonly name: string;
  /** JSON text as the model wrote it; not known to be valid. */
  readonly arguments: string;
  readonly arguments_ref?: string;
}

export interface FunctionCallOutputItem {
  readonly type: "function_call_output";
  readonly call_id: string;
  readonly output: string;
  readonly output_ref?: string;
}

export type OutputItem = MessageItem | ReasoningItem | FunctionCallItem;
export type InputItem = MessageItem | FunctionCallItem | FunctionCallOutputItem | ReasoningItem;
export type TranscriptItem = InputItem;
