/** TLS in front of a server without it, as a proxy of a deployment has; its certificate is made when it starts. */
import { generateKeyPairSync, sign } from "node:crypto";
import type { KeyObject } from "node:crypto";
import { connect } from "node:net";
import type { AddressInfo } from "node:net";
import { createServer } from "node:tls";
import type { Server, TLSSocket } from "node:tls";

export class TlsProxy {
  readonly #server: Server;
  readonly #open = new Set<TLSSocket>();
  /** PEM of its certificate, which is for `localhost` and signed by itself. */
  readonly ca: string;

  private constructor(target: string) {
    const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    this.ca = certificate("localhost", privateKey, publicKey);
    const key = privateKey.export({ type: "pkcs8", format: "pem" });
    const [host, port] = target.split(":") as [string, string];
    this.#server = createServer({ key, cert: this.ca, ALPNProtocols: ["h2"] }, (near) => {
      const far = connect(Number(port), host);
      this.#open.add(near);
      near.on("error", () => far.destroy()).on("close", () => this.#open.delete(near) && far.destroy());
      far.on("error", () => near.destroy());
      near.pipe(far).pipe(near);
    });
  }

  /** `target`: `host:port`. */
  static async start(target: string): Promise<TlsProxy> {
    const proxy = new TlsProxy(target);
    await new Promise<void>((resolve) => proxy.#server.listen(0, resolve));
    return proxy;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    for (const socket of this.#open) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

/** Tags of DER. */
const [BOOLEAN, INTEGER, BITS, OCTETS, OID, UTF8, TIME, SEQUENCE, SET] = [1, 2, 3, 4, 6, 12, 23, 48, 49] as const;
const ECDSA_WITH_SHA256 = der(SEQUENCE, der(OID, Buffer.from("2a8648ce3d040302", "hex")));
const COMMON_NAME = der(OID, Buffer.from("550403", "hex"));
const ALTERNATIVE_NAME = der(OID, Buffer.from("551d11", "hex"));
const BASIC_CONSTRAINTS = der(OID, Buffer.from("551d13", "hex"));
const TRUE = der(BOOLEAN, Buffer.from([255]));

function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(parts);
  const length = body.length < 128 ? [body.length] : [0x82, body.length >> 8, body.length & 255];
  return Buffer.concat([Buffer.from([tag, ...length]), body]);
}

/** X.509 for a host, signed with its own key, valid as long as two digits of a year go. */
function certificate(host: string, privateKey: KeyObject, publicKey: KeyObject): string {
  const name = der(SEQUENCE, der(SET, der(SEQUENCE, COMMON_NAME, der(UTF8, Buffer.from(host)))));
  const day = (text: string): Buffer => der(TIME, Buffer.from(`${text}0101000000Z`));
  const hosts = der(OCTETS, der(SEQUENCE, der(0x82, Buffer.from(host))));
  const extensions = [
    der(SEQUENCE, BASIC_CONSTRAINTS, TRUE, der(OCTETS, der(SEQUENCE, TRUE))),
    der(SEQUENCE, ALTERNATIVE_NAME, hosts),
  ];
  const content = der(
    SEQUENCE,
    der(0xa0, der(INTEGER, Buffer.from([2]))),
    der(INTEGER, Buffer.from([1])),
    ECDSA_WITH_SHA256,
    name,
    der(SEQUENCE, day("20"), day("49")),
    name,
    publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, der(SEQUENCE, ...extensions)),
  );
  const signature = der(BITS, Buffer.from([0]), sign("sha256", content, privateKey));
  const base64 = der(SEQUENCE, content, ECDSA_WITH_SHA256, signature).toString("base64");
  return `-----BEGIN CERTIFICATE-----\n${base64.replaceAll(/(.{64})/g, "$1\n")}\n-----END CERTIFICATE-----\n`;
}
