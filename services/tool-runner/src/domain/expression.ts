/**
 * Arithmetic for the calculator: a recursive descent over the text, nothing is ever evaluated as code.
 *
 *     sum     = product (("+" | "-") product)*
 *     product = power-with-sign (("*" | "/" | "%") power-with-sign)*
 *     signed  = ("+" | "-")* power
 *     power   = value ("^" signed)?            so -2^2 is -4 and 2^3^2 is 2^9
 *     value   = number | name | name "(" sum ("," sum)* ")" | "(" sum ")"
 */
export const EXPRESSION_CHARS_MAX = 4_000;
const DEPTH_MAX = 100;

export type ExpressionResult =
  | { readonly ok: true; readonly value: number }
  /** `at` is the position in the text, from 1. */
  | { readonly ok: false; readonly problem: string; readonly at: number };

interface Arithmetic {
  readonly least: number;
  readonly most: number;
  readonly apply: (...values: number[]) => number;
}

const MANY = 100;
const one = (apply: (value: number) => number): Arithmetic => ({ least: 1, most: 1, apply });

const FUNCTIONS: Readonly<Record<string, Arithmetic>> = {
  sqrt: one(Math.sqrt),
  abs: one(Math.abs),
  floor: one(Math.floor),
  ceil: one(Math.ceil),
  exp: one(Math.exp),
  sin: one(Math.sin),
  cos: one(Math.cos),
  tan: one(Math.tan),
  min: { least: 1, most: MANY, apply: Math.min },
  max: { least: 1, most: MANY, apply: Math.max },
  round: { least: 1, most: 2, apply: (value, digits = 0) => roundTo(value, digits) },
  log: { least: 1, most: 2, apply: (value, base = Math.E) => Math.log(value) / Math.log(base) },
};

const CONSTANTS: Readonly<Record<string, number>> = { pi: Math.PI, e: Math.E };
const TOKEN = /\s*(?:(\d+(?:\.\d*)?(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)|([A-Za-z_]\w*)|([-+*/%^(),]))/y;

class Problem extends Error {
  readonly at: number;

  constructor(message: string, at: number) {
    super(message);
    this.at = at;
  }
}

interface Token {
  readonly kind: "number" | "name" | "sign" | "end";
  readonly text: string;
  readonly at: number;
}

export function evaluate(text: string): ExpressionResult {
  if (text.length > EXPRESSION_CHARS_MAX) {
    return { ok: false, problem: `the expression is longer than ${EXPRESSION_CHARS_MAX} characters`, at: 1 };
  }
  try {
    const value = new Parser(tokensOf(text)).whole();
    if (Number.isNaN(value)) return { ok: false, problem: "the result is not a real number", at: 1 };
    if (!Number.isFinite(value)) return { ok: false, problem: "the result is too large", at: 1 };
    return { ok: true, value: tidy(value) };
  } catch (thrown) {
    if (thrown instanceof Problem) return { ok: false, problem: thrown.message, at: thrown.at };
    throw thrown;
  }
}

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (text.slice(at).trim() !== "") {
    TOKEN.lastIndex = at;
    const match = TOKEN.exec(text);
    if (match === null) {
      const place = at + text.slice(at).search(/\S/);
      throw new Problem(`${JSON.stringify(text[place])} does not belong here`, place + 1);
    }
    const [whole, number, name, sign] = match;
    const kind = number !== undefined ? "number" : name !== undefined ? "name" : "sign";
    const token = number ?? name ?? sign ?? "";
    at += whole.length;
    tokens.push({ kind, text: token, at: at - token.length + 1 });
  }
  tokens.push({ kind: "end", text: "the end", at: text.length + 1 });
  return tokens;
}

class Parser {
  readonly #tokens: readonly Token[];
  #next = 0;
  #depth = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  whole(): number {
    const value = this.#sum();
    const rest = this.#peek();
    if (rest.kind !== "end") throw new Problem(`${rest.text} does not belong here`, rest.at);
    return value;
  }

  #peek(): Token {
    return this.#tokens[this.#next]!;
  }

  /** Takes the next token if it is one of these signs. */
  #take(...signs: string[]): Token | null {
    const token = this.#peek();
    if (token.kind !== "sign" || !signs.includes(token.text)) return null;
    this.#next += 1;
    return token;
  }

  #expect(sign: string): void {
    if (this.#take(sign) !== null) return;
    const { text, at } = this.#peek();
    throw new Problem(`"${sign}" is missing before ${text}`, at);
  }

  #deeper<T>(parse: () => T): T {
    this.#depth += 1;
    if (this.#depth > DEPTH_MAX) throw new Problem("the expression is nested too deeply", this.#peek().at);
    const result = parse();
    this.#depth -= 1;
    return result;
  }

  #sum(): number {
    return this.#deeper(() => {
      let value = this.#product();
      for (let sign = this.#take("+", "-"); sign !== null; sign = this.#take("+", "-")) {
        const right = this.#product();
        value = sign.text === "+" ? value + right : value - right;
      }
      return value;
    });
  }

  #product(): number {
    let value = this.#signed();
    for (let sign = this.#take("*", "/", "%"); sign !== null; sign = this.#take("*", "/", "%")) {
      const right = this.#signed();
      if (right === 0 && sign.text !== "*") throw new Problem("division by zero", sign.at);
      value = sign.text === "*" ? value * right : sign.text === "/" ? value / right : value % right;
    }
    return value;
  }

  #signed(): number {
    let negative = false;
    for (let sign = this.#take("+", "-"); sign !== null; sign = this.#take("+", "-")) {
      if (sign.text === "-") negative = !negative;
    }
    const value = this.#power();
    return negative ? -value : value;
  }

  #power(): number {
    return this.#deeper(() => {
      const base = this.#value();
      return this.#take("^") === null ? base : base ** this.#signed();
    });
  }

  #value(): number {
    const { kind, text, at } = this.#peek();
    if (kind === "number") {
      this.#next += 1;
      return Number(text);
    }
    if (kind === "name") {
      this.#next += 1;
      return this.#take("(") === null ? constant(text, at) : this.#call(text, at);
    }
    if (this.#take("(") === null) throw new Problem(`a number is missing before ${text}`, at);
    const value = this.#sum();
    this.#expect(")");
    return value;
  }

  #call(name: string, at: number): number {
    const known = Object.hasOwn(FUNCTIONS, name) ? FUNCTIONS[name] : undefined;
    if (known === undefined) {
      throw new Problem(`there is no function ${name}; known are ${Object.keys(FUNCTIONS).join(", ")}`, at);
    }
    const values = [this.#sum()];
    while (this.#take(",") !== null) values.push(this.#sum());
    this.#expect(")");
    if (values.length < known.least || values.length > known.most) {
      throw new Problem(`${name} takes ${known.least} to ${known.most} values, not ${values.length}`, at);
    }
    return known.apply(...values);
  }
}

function constant(name: string, at: number): number {
  const value = Object.hasOwn(CONSTANTS, name) ? CONSTANTS[name] : undefined;
  if (value === undefined) throw new Problem(`${name} is not known; the constants are pi and e`, at);
  return value;
}

function roundTo(value: number, digits: number): number {
  const factor = 10 ** Math.trunc(digits);
  return Math.round(value * factor) / factor;
}

/** Without the noise of binary fractions: 0.1 + 0.2 is 0.3. */
function tidy(value: number): number {
  return Number(value.toPrecision(15));
}
