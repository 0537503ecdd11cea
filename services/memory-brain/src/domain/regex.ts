/**
 * Regular expressions for REGEX, matched in time linear in the text: no pattern can hang a query. Understood: literals,
 * `.`, classes `[a-z]`, `\d \w \s` and their negations, anchors, groups, alternation and `* + ? {m,n}`. Not understood,
 * and refused: back references and look-around.
 */
import { KipError, REGEX_LENGTH_MAX, REGEX_SUBJECT_MAX } from "@mainspring/kip";

type Test = (unit: string) => boolean;
type Node =
  | { readonly k: "one"; readonly test: Test }
  | { readonly k: "start" | "end" }
  | { readonly k: "empty" }
  | { readonly k: "sequence" | "choice"; readonly parts: readonly Node[] }
  | { readonly k: "repeat"; readonly part: Node; readonly min: number; readonly max: number };
type Instruction =
  | { readonly k: "one"; readonly test: Test }
  | { readonly k: "split"; readonly first: number; readonly second: number }
  | { readonly k: "jump"; readonly to: number }
  | { readonly k: "start" | "end" | "match" };

const REPEAT_MAX = 100;
const PROGRAM_MAX = 5000;
const GROUP_DEPTH_MAX = 32;

const CLASSES: Readonly<Record<string, Test>> = {
  d: (unit) => unit >= "0" && unit <= "9",
  w: (unit) => /^[A-Za-z0-9_]$/.test(unit),
  s: (unit) => /^\s$/.test(unit),
};
const ESCAPES: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t" };

class PatternParser {
  readonly #units: string[];
  #at = 0;
  #depth = 0;

  constructor(pattern: string) {
    this.#units = Array.from(pattern);
  }

  #refuse(message: string): KipError {
    return new KipError("ConstraintViolation", `REGEX: ${message}`);
  }

  parse(): Node {
    const node = this.#choice();
    if (this.#at < this.#units.length) throw this.#refuse("unbalanced )");
    return node;
  }

  #choice(): Node {
    if (++this.#depth > GROUP_DEPTH_MAX) throw this.#refuse(`groups nest at most ${GROUP_DEPTH_MAX} deep`);
    const parts: Node[] = [this.#sequence()];
    while (this.#units[this.#at] === "|") {
      this.#at++;
      parts.push(this.#sequence());
    }
    this.#depth--;
    return parts.length === 1 ? parts[0]! : { k: "choice", parts };
  }

  #sequence(): Node {
    const parts: Node[] = [];
    for (
      let unit = this.#units[this.#at];
      unit !== undefined && unit !== "|" && unit !== ")";
      unit = this.#units[this.#at]
    ) {
      parts.push(this.#repeated());
    }
    return parts.length === 0 ? { k: "empty" } : { k: "sequence", parts };
  }

  #repeated(): Node {
    const part = this.#atom();
    const unit = this.#units[this.#at];
    let bounds: [number, number] | undefined;
    if (unit === "*") bounds = [0, Infinity];
    else if (unit === "+") bounds = [1, Infinity];
    else if (unit === "?") bounds = [0, 1];
    if (bounds !== undefined) this.#at++;
    else if (unit === "{") bounds = this.#bounds();
    if (bounds === undefined) return part;
    if (this.#units[this.#at] === "?") this.#at++;
    return { k: "repeat", part, min: bounds[0], max: bounds[1] };
  }

  #bounds(): [number, number] {
    const match = /^\{([0-9]{1,3})(,([0-9]{1,3})?)?\}/.exec(this.#units.slice(this.#at, this.#at + 12).join(""));
    if (match === null) throw this.#refuse("{ must be written \\{ or be a repetition {m,n}");
    this.#at += match[0].length;
    const min = Number(match[1]);
    const max = match[2] === undefined ? min : match[3] === undefined ? Infinity : Number(match[3]);
    if (min > REPEAT_MAX || (max !== Infinity && max > REPEAT_MAX) || max < min)
      throw this.#refuse(`a repetition goes up to ${REPEAT_MAX}`);
    return [min, max];
  }

  #atom(): Node {
    const unit = this.#units[this.#at++]!;
    if (unit === "(") return this.#group();
    if (unit === "[") return { k: "one", test: this.#class() };
    if (unit === "\\") return { k: "one", test: this.#escape() };
    if (unit === "^") return { k: "start" };
    if (unit === "$") return { k: "end" };
    if (unit === ".") return { k: "one", test: (found) => found !== "\n" };
    if ("*+?{".includes(unit)) throw this.#refuse(`nothing to repeat before ${unit}`);
    return { k: "one", test: (found) => found === unit };
  }

  #group(): Node {
    if (this.#units[this.#at] === "?") {
      if (this.#units[this.#at + 1] !== ":") throw this.#refuse("look-around and named groups are not supported");
      this.#at += 2;
    }
    const node = this.#choice();
    if (this.#units[this.#at++] !== ")") throw this.#refuse("unbalanced (");
    return node;
  }

  #escape(): Test {
    const unit = this.#units[this.#at++];
    if (unit === undefined) throw this.#refuse("a pattern cannot end with \\");
    const negated = CLASSES[unit.toLowerCase()];
    const known = CLASSES[unit];
    if (known !== undefined) return known;
    if (negated !== undefined) return (found) => !negated(found);
    if (/^[A-Za-z0-9]$/.test(unit) && ESCAPES[unit] === undefined) throw this.#refuse(`\\${unit} is not supported`);
    const literal = ESCAPES[unit] ?? unit;
    return (found) => found === literal;
  }

  #class(): Test {
    const negated = this.#units[this.#at] === "^";
    if (negated) this.#at++;
    const tests: Test[] = [];
    for (let first = true; this.#units[this.#at] !== "]" || first; first = false) {
      const unit = this.#units[this.#at++];
      if (unit === undefined) throw this.#refuse("unbalanced [");
      if (unit === "\\") {
        tests.push(this.#escape());
      } else if (
        this.#units[this.#at] === "-" &&
        this.#units[this.#at + 1] !== "]" &&
        this.#units[this.#at + 1] !== undefined
      ) {
        const last = this.#units[this.#at + 1]!;
        this.#at += 2;
        if (last < unit) throw this.#refuse(`the range ${unit}-${last} is empty`);
        tests.push((found) => found >= unit && found <= last);
      } else tests.push((found) => found === unit);
    }
    this.#at++;
    return (found) => tests.some((test) => test(found)) !== negated;
  }
}

function emit(node: Node, program: Instruction[]): void {
  if (program.length > PROGRAM_MAX) throw new KipError("ConstraintViolation", "REGEX: the pattern is too large");
  switch (node.k) {
    case "empty":
      return;
    case "one":
    case "start":
    case "end":
      program.push(node);
      return;
    case "sequence":
      for (const part of node.parts) emit(part, program);
      return;
    case "choice":
      emitChoice(node.parts, program);
      return;
    case "repeat":
      emitRepeat(node, program);
  }
}

function emitChoice(parts: readonly Node[], program: Instruction[]): void {
  const exits: number[] = [];
  parts.forEach((part, index) => {
    if (index === parts.length - 1) return emit(part, program);
    const split = program.push({ k: "match" }) - 1;
    emit(part, program);
    exits.push(program.push({ k: "match" }) - 1);
    program[split] = { k: "split", first: split + 1, second: program.length };
  });
  for (const exit of exits) program[exit] = { k: "jump", to: program.length };
}

function emitRepeat(node: Extract<Node, { k: "repeat" }>, program: Instruction[]): void {
  for (let count = 0; count < node.min; count++) emit(node.part, program);
  if (node.max === Infinity) {
    const split = program.push({ k: "match" }) - 1;
    emit(node.part, program);
    program.push({ k: "jump", to: split });
    program[split] = { k: "split", first: split + 1, second: program.length };
    return;
  }
  const splits: number[] = [];
  for (let count = node.min; count < node.max; count++) {
    splits.push(program.push({ k: "match" }) - 1);
    emit(node.part, program);
  }
  for (const split of splits) program[split] = { k: "split", first: split + 1, second: program.length };
}

/** Adds a place and every place reached from it without reading. */
function follow(
  program: readonly Instruction[],
  start: number,
  states: Set<number>,
  atStart: boolean,
  atEnd: boolean,
): void {
  const pending = [start];
  while (pending.length > 0) {
    const at = pending.pop()!;
    if (states.has(at)) continue;
    states.add(at);
    const instruction = program[at]!;
    if (instruction.k === "jump") pending.push(instruction.to);
    else if (instruction.k === "split") pending.push(instruction.first, instruction.second);
    else if ((instruction.k === "start" && atStart) || (instruction.k === "end" && atEnd)) pending.push(at + 1);
  }
}

export type Matcher = (text: string) => boolean;

/** A matcher that tells whether the pattern occurs anywhere in a text. */
export function compileRegex(pattern: string): Matcher {
  if (pattern.length > REGEX_LENGTH_MAX) {
    throw new KipError("ConstraintViolation", `REGEX: a pattern has at most ${REGEX_LENGTH_MAX} characters`);
  }
  const program: Instruction[] = [];
  emit(new PatternParser(pattern).parse(), program);
  program.push({ k: "match" });
  const final = program.length - 1;
  return (text) => {
    const units = Array.from(text.slice(0, REGEX_SUBJECT_MAX));
    let states = new Set<number>();
    for (let at = 0; at <= units.length; at++) {
      follow(program, 0, states, at === 0, at === units.length);
      if (states.has(final)) return true;
      if (at === units.length) break;
      const next = new Set<number>();
      for (const state of states) {
        const instruction = program[state]!;
        if (instruction.k === "one" && instruction.test(units[at]!))
          follow(program, state + 1, next, false, at + 1 === units.length);
      }
      states = next;
    }
    return states.has(final);
  };
}
