/** Random statements of every form, as text, for round-trip and mutation tests. */
import type { Random } from "./random.ts";

const NAMES = ["x", "person", "_p9", "Belief", "id", "limit", "true_", "where"];
const SYMBOLS = ["Person", "prefers", "kip://local/draft@0.0.0/likes", "MnemonicState", "has_step", 'ü \\" / \n', ""];
const KEYS = ["type", "key", "name", "by", "valid", "select", "true", '"two words"', '"quoted"', "attributes"];

const DESCRIBED = [
  "TYPE",
  "PREDICATE",
  "FACET",
  "STRUCTURAL FIELD",
  "PACKAGE",
  "ERROR",
  "CAPSULE",
  "TRANSACTION",
  "TRANSACTION BY IDEMPOTENCY KEY",
];
const LISTED = [
  "SPACES",
  "TYPES",
  "PREDICATES",
  "FACETS",
  "STRUCTURAL FIELDS",
  "EPISTEMIC POLICIES",
  "SCHEMA PACKAGES",
  'SCHEMA PACKAGES STATUS "active"',
  "DEPENDENTS :x",
  'DEPENDENTS "C-1" DEPTH 2',
];
const INSPECTED = [
  "VERIFY CAPSULE",
  "VERIFY SCHEMA PACKAGE",
  "VERIFY RECEIPT",
  "VALIDATE KQL",
  "VALIDATE KML",
  "VALIDATE CAPSULE",
  "VALIDATE SCHEMA PACKAGE",
  "VALIDATE IMPORT PLAN",
  "PREVIEW KML",
];

export class Corpus {
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  #variable = (): string => `?${this.#random.pick(NAMES)}`;
  #parameter = (): string => `:${this.#random.pick(NAMES)}`;
  #string = (): string => JSON.stringify(this.#random.pick(SYMBOLS));
  #symbol = (): string => (this.#random.chance(0.8) ? this.#string() : this.#parameter());
  #word = (word: string): string => (this.#random.chance(0.1) ? word.toLowerCase() : word);
  #maybe = (make: () => string, probability = 0.4): string => (this.#random.chance(probability) ? make() : "");
  #space = (): string => this.#random.pick([" ", " ", "\n", " // note\n", "\t "]);
  #join = (...parts: string[]): string => parts.filter((part) => part !== "").join(this.#space());

  #literal(): string {
    const numbers = ["0", "-0", "1", "1.0", "1e0", "-12.5", "9007199254740991", "3.25E-7", "0.1"];
    return this.#random.pick([this.#string(), this.#random.pick(numbers), "true", "false", "null"]);
  }

  #scalar = (): string => (this.#random.chance(0.5) ? this.#literal() : this.#parameter());

  #object(value: () => string): string {
    const keys = new Map(
      this.#random.many(0, 3, () => this.#random.pick(KEYS)).map((key) => [key.replaceAll('"', ""), key]),
    );
    return `{${[...keys.values()].map((key) => `${key}:${this.#random.pick(["", " "])}${value()}`).join(", ")}}`;
  }

  #path(): string {
    const step = (): string => (this.#random.chance(0.7) ? `.${this.#random.pick(NAMES)}` : `[${this.#string()}]`);
    return `${this.#variable()}${this.#random.many(0, 2, step).join("")}`;
  }

  #data(depth = 0): string {
    const deeper = (): string => this.#data(depth + 1);
    if (depth > 2) return this.#scalar();
    return this.#random.pick([
      () => this.#scalar(),
      () => this.#path(),
      () => `[${this.#random.many(0, 3, deeper).join(", ")}]`,
      () => this.#object(deeper),
      () =>
        `${this.#random.pick(["ADD", "clamp", "COALESCE"])}(${this.#random.many(1, 3, () => this.#expression(2)).join(", ")})`,
    ])();
  }

  #expression(depth = 0): string {
    if (depth > 3) return this.#random.pick([this.#path(), this.#scalar()]);
    const deeper = (): string => this.#expression(depth + 1);
    return this.#random.pick([
      () => this.#path(),
      () => this.#scalar(),
      () => `(${deeper()} ${this.#random.pick(["==", "!=", "&&", "||", "<", ">=", ">", "<="])} ${deeper()})`,
      () => `${this.#random.pick(["!", "-"])}(${deeper()})`,
      () =>
        `${this.#path()} == ${this.#scalar()} && ${this.#path()} < ${this.#scalar()} || ${this.#path()} != ${this.#scalar()}`,
      () => `IN(${this.#path()}, [${this.#random.many(1, 3, () => this.#scalar()).join(", ")}])`,
    ])();
  }

  #patternValue(depth = 0): string {
    if (depth > 1) return this.#scalar();
    const deeper = (): string => this.#patternValue(depth + 1);
    return this.#random.pick([
      () => this.#scalar(),
      () => this.#variable(),
      () => this.#object(deeper),
      () => `[${this.#random.many(0, 2, deeper).join(", ")}]`,
      () => this.#tuple(false, 2),
    ])();
  }

  #term(depth: number): string {
    const leaf = [this.#variable(), this.#scalar()];
    if (depth > 1) return this.#random.pick(leaf);
    return this.#random.pick([...leaf, this.#object(() => this.#patternValue(1)), this.#tuple(false, depth + 1)]);
  }

  #tuple(paths: boolean, depth = 0): string {
    if (this.#random.chance(0.1)) return `(id: ${this.#symbol()})`;
    const quantifier = (): string => this.#random.pick(["{0,5}", "{2}", "{1,}", "{1}"]);
    const raw = (): string =>
      `${this.#random.many(1, 3, () => this.#symbol()).join(" | ")}${this.#maybe(quantifier, 0.6)}`;
    const predicate = paths ? this.#random.pick([this.#symbol(), this.#variable(), raw()]) : this.#symbol();
    return `(${this.#term(depth)}, ${predicate}, ${this.#term(depth)})`;
  }

  #item(query: boolean, depth: number, inNot: boolean): string {
    const variable = this.#variable();
    const match = (): string => this.#object(() => this.#patternValue());
    const choices = [
      () =>
        this.#join(
          variable,
          this.#maybe(() => "CONCEPT", 0.2),
          match(),
        ),
      () =>
        this.#join(
          this.#maybe(() => variable),
          this.#maybe(() => this.#word("PROPOSITION"), 0.2),
          this.#tuple(query),
        ),
      () => this.#join(variable, this.#word(this.#random.pick(["ASSERTION", "EVIDENCE", "ACTIVITY"])), match()),
      () =>
        this.#join(
          this.#maybe(() => variable),
          "STRUCTURAL",
          `(${this.#term(1)}, ${this.#symbol()}, ${this.#term(1)})`,
        ),
      () => this.#join(this.#word("FILTER"), `(${this.#expression()})`),
    ];
    if (depth < 2) {
      const k = this.#random.pick(["NOT", "OPTIONAL", "UNION"]);
      choices.push(() => this.#join(this.#word(k), this.#where(query, depth + 1, inNot || k === "NOT")));
    }
    if (query) {
      const target = this.#random.pick([`(${this.#variable()})`, `(id: ${this.#symbol()})`, this.#tuple(false, 1)]);
      choices.push(() => this.#join(variable, "BELIEF", target));
      choices.push(() => this.#join(variable, "BELIEF SLOT", `(${this.#term(1)}, ${this.#symbol()})`));
      if (!inNot)
        choices.push(() => this.#join(variable, this.#search(this.#symbol(), false), `LIMIT ${this.#scalar()}`));
    }
    return this.#random.pick(choices)();
  }

  #where(query: boolean, depth = 0, inNot = false): string {
    return `{${this.#space()}${this.#random.many(0, 3, () => this.#item(query, depth, inNot)).join(this.#space())} }`;
  }

  #search(text: string, historical: boolean): string {
    return this.#join(
      `SEARCH ${this.#random.pick(["CONCEPT", "PROPOSITION", "ASSERTION", "EVIDENCE", "ACTIVITY"])} ${text}`,
      this.#maybe(() => `WITH TYPE ${this.#symbol()}`),
      this.#maybe(() => `WITH PREDICATE ${this.#symbol()}`),
      this.#maybe(() => `MODE "keyword"`),
      this.#maybe(() => `THRESHOLD ${this.#scalar()}`),
      historical ? this.#maybe(() => `AS OF SEQ ${this.#scalar()}`) : "",
    );
  }

  find(): string {
    const aggregate = (): string =>
      this.#random.pick([
        `COUNT(DISTINCT ${this.#path()})`,
        `COUNT(${this.#path()})`,
        `avg(${this.#path()})`,
        `MAX(${this.#path()})`,
      ]);
    const projection = (): string => (this.#random.chance(0.7) ? this.#path() : aggregate());
    const order = (): string =>
      this.#join(this.#random.chance(0.3) ? aggregate() : this.#expression(2), this.#random.pick(["", "ASC", "DESC"]));
    return this.#join(
      `${this.#word("FIND")}(${this.#random.many(1, 3, projection).join(", ")})`,
      this.#word("WHERE"),
      this.#where(true),
      this.#maybe(() => `AS OF SEQ ${this.#scalar()}`),
      this.#maybe(() => `FOR TIME ${this.#scalar()}`),
      this.#maybe(() => `WITH EPISTEMIC ${this.#object(() => this.#data(2))}`),
      this.#maybe(() => `ORDER BY ${this.#random.many(1, 2, order).join(", ")}`),
      this.#page(),
    );
  }

  #page = (): string =>
    this.#join(
      this.#maybe(() => `LIMIT ${this.#scalar()}`),
      this.#maybe(() => `CURSOR ${this.#scalar()}`),
    );
  #ref = (): string => this.#random.pick([this.#variable(), this.#parameter(), '"C-1"']);
  #assignment = (): string => this.#object(() => this.#data());

  #links(options: boolean): string {
    const link = (): string =>
      this.#join(
        `(${this.#symbol()}, ${this.#ref()})`,
        options ? this.#maybe(() => this.#random.pick(["{index: 2}", '{role: "support"}'])) : "",
      );
    return `{ ${this.#random.many(0, 2, link).join(" ")} }`;
  }

  #sets(attributes: boolean): string[] {
    return this.#random.shuffled([
      this.#maybe(() => `SET FIELDS ${this.#assignment()}`),
      attributes ? this.#maybe(() => `SET ATTRIBUTES ${this.#assignment()}`) : "",
      this.#maybe(() => `SET FACET "F" ${this.#assignment()}`),
      this.#maybe(() => `SET FACET :G ${this.#assignment()}`),
      this.#maybe(() => `SET STRUCTURAL ${this.#links(true)}`),
    ]);
  }

  #unsets(): string[] {
    return this.#random.shuffled([
      this.#maybe(() => `UNSET ATTRIBUTES {a, "b c"}`),
      this.#maybe(() => `UNSET FACET "F" {a}`),
      this.#maybe(() => `UNSET STRUCTURAL ${this.#links(false)}`),
    ]);
  }

  #guards(): string {
    return this.#join(
      this.#maybe(() => `EXPECT VERSION ${this.#scalar()}`),
      this.#maybe(
        () => `EXPECT VERSION 1 OF ${this.#random.pick(["ATTRIBUTES", "STRUCTURAL", "RETENTION", 'FACET "F"'])}`,
      ),
    );
  }

  #tail = (): string =>
    this.#join(
      this.#maybe(() => `WHERE ${this.#where(false)}`),
      this.#maybe(() => `LIMIT ${this.#scalar()}`),
      this.#guards(),
    );

  mutation(): string {
    const ref = this.#ref();
    const key = this.#maybe(() => `CLIENT KEY ${this.#symbol()}`);
    const kind = this.#random.pick(["EVIDENCE", "ASSERTION", "ACTIVITY"]);
    const handle = this.#maybe(() => this.#variable());
    return this.#random.pick([
      () =>
        this.#join(
          `CREATE CONCEPT ${this.#variable()} {`,
          ...this.#random.shuffled([`TYPE ${this.#symbol()}`, key, this.#maybe(() => "NAME :n"), ...this.#sets(true)]),
          "}",
        ),
      () => this.#join(`CREATE ${kind} ${this.#variable()} {`, key, ...this.#sets(false), "}"),
      () =>
        this.#join(
          `UPSERT CONCEPT ${this.#variable()} {`,
          ...this.#random.shuffled([
            `MATCH ${this.#object(() => this.#scalar())}`,
            ...this.#sets(true),
            ...this.#unsets(),
          ]),
          "}",
          this.#guards(),
        ),
      () =>
        this.#join(
          "ENSURE PROPOSITION",
          handle,
          this.#tuple(false),
          this.#maybe(() => "EXPECT VERSION 0"),
        ),
      () =>
        this.#join(
          "ASSERT",
          handle,
          this.#tuple(false),
          `{by: ${this.#ref()}, mode: ${this.#symbol()}${this.#maybe(() => `, confidence: ${this.#scalar()}`)}}`,
          this.#maybe(() => `SUPERSEDING ${this.#ref()}`),
        ),
      () => this.#join(`UPDATE ${ref}`, `SET ATTRIBUTES ${this.#assignment()}`, ...this.#unsets(), this.#tail()),
      () =>
        this.#join(
          `TRANSITION ${ref} TO ${this.#symbol()}`,
          this.#maybe(() => `BY ${this.#ref()}`),
          this.#maybe(() => `SET FIELDS ${this.#assignment()}`),
          this.#maybe(() => `SET STRUCTURAL ${this.#links(true)}`),
          this.#tail(),
        ),
      () => this.#join(`SET RETENTION ${ref} ${this.#assignment()}`, this.#tail()),
      () =>
        this.#join(
          `PURGE ${ref}`,
          this.#tail(),
          this.#maybe(() => `REFERENCE POLICY ${this.#symbol()}`),
          'CONFIRM "PURGE"',
        ),
      () => this.#join(`PURGE PAYLOAD ${ref}`, this.#tail(), 'CONFIRM "PURGE"'),
      () =>
        this.#join(
          `MERGE CONCEPT ${ref} INTO ${this.#ref()}`,
          this.#maybe(() => `WHERE ${this.#where(false)}`),
          this.#guards(),
        ),
    ])();
  }

  meta(): string {
    const value = this.#scalar();
    const asOf = this.#maybe(() => `AS OF SEQ ${this.#scalar()}`);
    return this.#random.pick([
      () =>
        this.#join(
          "DESCRIBE PRIMER",
          this.#maybe(() => 'MODE "full"'),
        ),
      () =>
        `DESCRIBE ${this.#random.pick(["PROTOCOL", "CAPABILITIES", "ACCESS", "ACCESS WITH {a: 1}", "SPACE", "SPACE :s", "EPISTEMIC POLICY", 'EPISTEMIC POLICY "p"', "TRUST", "TRUST :t"])}`,
      () => this.#join(`DESCRIBE ${this.#random.pick(["SCHEMA ENVIRONMENT", "SNAPSHOT"])}`, asOf),
      () => `DESCRIBE SNAPSHOT AT TIME ${value}`,
      () => `DESCRIBE ${this.#random.pick(DESCRIBED)} ${value}`,
      () => `DESCRIBE COMPATIBILITY FROM ${value} TO ${this.#scalar()}`,
      () => this.#join(`LIST ${this.#random.pick(LISTED)}`, this.#page()),
      () => this.#join(this.#search(value, true), this.#page()),
      () =>
        this.#join(
          `HISTORY ${this.#random.pick(["SPACE", `ELEMENT ${value}`])}`,
          this.#maybe(() => "FROM SEQ 1"),
          this.#maybe(() => "TO SEQ 2"),
          this.#page(),
        ),
      () =>
        this.#join(
          `CHANGES ${this.#random.pick(["SINCE", "AFTER SEQ"])} ${value}`,
          this.#maybe(() => "LIMIT 3"),
        ),
      () => `${this.#random.pick(INSPECTED)} ${value}`,
      () => `PREVIEW IMPORT CAPSULE ${value} INTO ${this.#scalar()}`,
      () =>
        this.#join(
          `EXPORT CAPSULE ${this.#ref()} WHERE ${this.#where(false)}`,
          this.#maybe(() => "WITH {a: 1}"),
          asOf,
        ),
    ])();
  }

  statement(): string {
    return this.#random.pick([
      () => this.find(),
      () => this.find(),
      () => this.mutation(),
      () => this.mutation(),
      () => this.meta(),
      () => this.#join("MUTATE {", ...this.#random.many(1, 3, () => this.mutation()), "}"),
      () =>
        `DEFINE ${this.#random.pick(["PREDICATE", "CONCEPT TYPE"])} ${this.#string()} ${this.#object(() => this.#data(2))}`,
    ])();
  }
}
