/** Arguments of a call against the schema of its tool. */
import { Ajv } from "ajv";
import type { ErrorObject, ValidateFunction } from "ajv";

import type { JsonSchema } from "../ports/tool.ts";

const PROBLEMS_SHOWN_MAX = 5;

export type Arguments =
  | { readonly ok: true; readonly value: Readonly<Record<string, unknown>> }
  /** For the model. */
  | { readonly ok: false; readonly problem: string };

export class ArgumentChecker {
  readonly #ajv = new Ajv({ allErrors: true, useDefaults: true, strict: false, validateFormats: false });
  readonly #compiled = new Map<JsonSchema, ValidateFunction>();

  /** Throws for a schema that is none. */
  compile(schema: JsonSchema): ValidateFunction {
    const known = this.#compiled.get(schema);
    if (known !== undefined) return known;
    const compiled = this.#ajv.compile(schema);
    this.#compiled.set(schema, compiled);
    return compiled;
  }

  /** Fills in the defaults of the schema. An empty text stands for no arguments. */
  check(schema: JsonSchema, argumentsJson: string): Arguments {
    let value: unknown;
    try {
      value = argumentsJson.trim() === "" ? {} : JSON.parse(argumentsJson);
    } catch (error) {
      return { ok: false, problem: `The arguments are not valid JSON: ${(error as Error).message}.` };
    }
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      return { ok: false, problem: "The arguments must be a JSON object." };
    }
    const validate = this.compile(schema);
    if (validate(value)) return { ok: true, value: value as Readonly<Record<string, unknown>> };
    return { ok: false, problem: `The arguments do not fit: ${problemsOf(validate.errors ?? [])}.` };
  }
}

function problemsOf(errors: readonly ErrorObject[]): string {
  const texts = errors.map(({ instancePath, message = "is wrong", params }) => {
    const where = instancePath === "" ? "the arguments" : instancePath.slice(1).replaceAll("/", ".");
    const extra: unknown = params["additionalProperty"] ?? params["allowedValues"];
    return `${where} ${message}${extra === undefined ? "" : ` (${JSON.stringify(extra)})`}`;
  });
  const shown = texts.slice(0, PROBLEMS_SHOWN_MAX);
  return shown.length < texts.length
    ? `${shown.join("; ")}; and ${texts.length - shown.length} more`
    : shown.join("; ");
}
