import { KIP_CODES, type KipCategory, type KipCode, type KipRetryClass } from "./error-codes.ts";
import type { Json } from "./json.ts";

export interface KipErrorOptions {
  readonly hint?: string;
  /** Character offset in the command text. */
  readonly offset?: number;
  readonly details?: Readonly<Record<string, Json>>;
  readonly cause?: unknown;
}

/** The error object of a KIP response. */
export interface KipErrorObject {
  readonly code: KipCode;
  readonly category: KipCategory;
  readonly message: string;
  readonly hint: string;
  readonly retry: { readonly class: KipRetryClass; readonly after_ms?: number };
  readonly details?: Readonly<Record<string, Json>>;
}

/** An expected refusal of a KIP request. Callers decide by `code`, never by the text. */
export class KipError extends Error {
  readonly code: KipCode;
  readonly hint: string;
  readonly offset: number | undefined;
  readonly details: Readonly<Record<string, Json>> | undefined;

  constructor(code: KipCode, message: string, options: KipErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "KipError";
    this.code = code;
    this.hint = options.hint ?? KIP_CODES[code].hint;
    this.offset = options.offset;
    this.details = options.details;
  }

  toObject(): KipErrorObject {
    const { category, retry } = KIP_CODES[this.code];
    const details = this.offset === undefined ? this.details : { ...this.details, offset: this.offset };
    return {
      code: this.code,
      category,
      message: this.message,
      hint: this.hint,
      retry: { class: retry },
      ...(details === undefined ? {} : { details }),
    };
  }

  /** Any thrown value as a KipError; what is not one becomes `InternalError` with a neutral message. */
  static from(thrown: unknown): KipError {
    if (thrown instanceof KipError) return thrown;
    return new KipError("InternalError", "an unexpected error occurred", { cause: thrown });
  }

  /** The error that an object of `toObject` describes; used where an error crosses a thread or a wire. */
  static fromObject(object: KipErrorObject): KipError {
    return new KipError(object.code, object.message, {
      hint: object.hint,
      ...(object.details === undefined ? {} : { details: object.details }),
    });
  }
}
