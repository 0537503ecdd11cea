/** A plain gRPC client, as anybody would make one: nothing of the project but its protos. */
import { credentials, makeGenericClientConstructor, Metadata } from "@grpc/grpc-js";
import type { Client, ServiceDefinition, ServiceError } from "@grpc/grpc-js";

type Fields = Readonly<Record<string, unknown>>;
// Answers are what the protos say; tests look into them as they need.
// oxlint-disable-next-line typescript/no-explicit-any
type Answer = any;

interface Stream extends AsyncIterable<Answer> {
  cancel(): void;
  write(message: object): void;
  end(): void;
}

export class PlainGrpcClient {
  readonly #client: Client & Readonly<Record<string, (...args: unknown[]) => unknown>>;
  readonly #metadata = new Metadata();

  constructor(definition: ServiceDefinition, address: string, headers: Readonly<Record<string, string | Buffer>>) {
    const Made = makeGenericClientConstructor(definition, "Service");
    this.#client = new Made(address, credentials.createInsecure()) as never;
    for (const [name, value] of Object.entries(headers)) this.#metadata.set(name, value);
  }

  /** Rejects with the ServiceError. */
  call(method: string, request: Fields): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#client[method]!(request, this.#metadata, (error: ServiceError | null, answer: unknown) =>
        error === null ? resolve(answer) : reject(error),
      );
    });
  }

  stream(method: string, request: Fields): Stream {
    return this.#client[method]!(request, this.#metadata) as Stream;
  }

  duplex(method: string): Stream {
    return this.#client[method]!(this.#metadata) as Stream;
  }

  close(): void {
    this.#client.close();
  }
}
