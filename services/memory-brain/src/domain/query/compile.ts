/** WHERE items to operators. Names are resolved, terms inside terms become operators with hidden variables. */
import { nearest } from "@mainspring/kernel";
import {
  KipError,
  SEARCH_LIMIT_MAX,
  type BlockItem,
  type ElementKind,
  type Item,
  type PatternObject,
  type PatternValue,
  type Scalar,
  type Term,
  type Tuple,
  type Variable,
} from "@mainspring/kip";
import { dataOf, held, textOfScalar, wholeOfScalar } from "./scalar.ts";
import { formatId, KIND, kindOf, requireId } from "../element-id.ts";
import { checkExpression, variablesOf } from "../expression.ts";
import type { Arg, Block, BlockOp, Check, ConceptOp, FilterOp, PatternOp, RecordOp, Segment } from "./algebra.ts";
import { slotsOf } from "./algebra.ts";
import { COMMON_FIELDS, MATCHED_FIELDS } from "./fields.ts";
import { searchModeOf } from "./search-mode.ts";

/** What the compiler asks about names. */
export interface Names {
  typeIds(name: string): readonly number[];
  predicateIds(name: string): readonly number[];
  /** The exact reference of a predicate; a belief keeps it. */
  predicateRef(name: string): string;
  classIds(name: string): readonly number[];
  /** Fields that are computed give the two that they are made of. */
  field(name: string): {
    readonly ids: readonly number[];
    readonly computed: "derived_from" | "consolidated_to" | "compiled_by" | undefined;
  };
}

/** Members that name linked elements; in a pattern they stand for a structural link. */
const LINKED = ["evidence", "source", "generated_by", "inputs", "outputs", "associated_actors", "context_refs"];

interface Draft {
  patterns: PatternOp[];
  optionals: BlockOp[];
  filters: FilterOp[];
  nots: BlockOp[];
}

export class Compiler {
  readonly names: Names;
  readonly slots = new Map<string, number>();
  /** Variables that some pattern binds. */
  readonly #bound = new Set<string>();
  #count = 0;
  #draft: Draft = { patterns: [], optionals: [], filters: [], nots: [] };

  constructor(names: Names) {
    this.names = names;
  }

  get slotCount(): number {
    return this.#count;
  }

  #hidden(): number {
    return this.#count++;
  }

  slot(variable: { readonly name: string }): number {
    let slot = this.slots.get(variable.name);
    if (slot === undefined) {
      slot = this.#count++;
      this.slots.set(variable.name, slot);
    }
    return slot;
  }

  #bind(variable: Variable): number {
    this.#bound.add(variable.name);
    return this.slot(variable);
  }

  /** Every variable that is read somewhere has to be bound somewhere. */
  requireBound(names: Iterable<string>): void {
    for (const name of names) {
      if (this.#bound.has(name)) continue;
      const near = nearest(name, this.#bound);
      throw new KipError(
        "InvalidSyntax",
        `?${name} is used and never bound${near === undefined ? "" : `; did you mean ?${near}?`}`,
      );
    }
  }

  block(items: readonly Item[]): Block {
    const outer = this.#draft;
    const segments: Segment[] = [];
    const branches: Block[] = [];
    this.#draft = { patterns: [], optionals: [], filters: [], nots: [] };
    for (const item of items) {
      if (item.k !== "union") {
        this.#item(item);
        continue;
      }
      segments.push(this.#draft);
      branches.push(this.block(item.items));
      this.#draft = { patterns: [], optionals: [], filters: [], nots: [] };
    }
    segments.push(this.#draft);
    this.#draft = outer;
    const binds = new Set<number>(branches.flatMap((branch) => branch.binds));
    for (const segment of segments) {
      for (const op of segment.patterns) for (const slot of slotsOf(op)) binds.add(slot);
      for (const op of segment.optionals) for (const slot of op.block.binds) binds.add(slot);
    }
    const rest = branches.map((branch, index) => ({ branch, after: segments[index + 1]! }));
    return { first: segments[0]!, rest, binds: [...binds] };
  }

  #nested(item: BlockItem, op: "not" | "optional"): BlockOp {
    const block = this.block(item.items);
    return { op, block, slots: block.binds };
  }

  #item(item: Exclude<Item, { k: "union" }> | BlockItem): void {
    switch (item.k) {
      case "concept":
        this.#concept(this.#bind(item.variable), item.match);
        return;
      case "record":
        this.#record(this.#bind(item.variable), item.kind, item.match);
        return;
      case "proposition":
        this.#proposition(item.variable === undefined ? undefined : this.#bind(item.variable), item.tuple);
        return;
      case "structural": {
        const slot = item.variable === undefined ? undefined : this.#bind(item.variable);
        this.#structural(
          slot,
          this.#term(item.source),
          textOfScalar(item.field, "a structural field"),
          this.#term(item.target),
        );
        return;
      }
      case "belief":
        this.#belief(item);
        return;
      case "slot":
        this.#draft.patterns.push({
          op: "slot",
          slot: this.#bind(item.variable),
          subject: this.#elementTerm(item.subject),
          predicate: this.names.predicateRef(textOfScalar(item.predicate, "a predicate")),
        });
        return;
      case "search":
        this.#search(item);
        return;
      case "filter": {
        checkExpression(item.expression);
        const names = variablesOf(item.expression);
        this.read.push(...names);
        this.#draft.filters.push({
          op: "filter",
          expression: item.expression,
          slots: [...names].map((name) => this.slot({ name })),
        });
        return;
      }
      case "not":
        this.#draft.nots.push(this.#nested(item, "not"));
        return;
      case "optional":
        this.#draft.optionals.push(this.#nested(item, "optional"));
        return;
      case "union":
    }
  }

  /** Names that filters read; checked once the whole statement is compiled. */
  readonly read: string[] = [];

  #search(item: Extract<Item, { k: "search" }>): void {
    const limit = wholeOfScalar(item.limit, "LIMIT");
    if (limit > SEARCH_LIMIT_MAX)
      throw new KipError("ResultLimitExceeded", `a search returns at most ${SEARCH_LIMIT_MAX}`);
    const threshold = item.threshold === undefined ? 0 : dataOf(item.threshold);
    if (typeof threshold !== "number") throw new KipError("TypeMismatch", "THRESHOLD must be a number");
    const types =
      item.type !== undefined
        ? this.names.typeIds(textOfScalar(item.type, "a type"))
        : item.predicate !== undefined
          ? this.names.predicateIds(textOfScalar(item.predicate, "a predicate"))
          : undefined;
    this.#draft.patterns.push({
      op: "search",
      slot: this.#bind(item.variable),
      kind: KIND[item.kind],
      text: textOfScalar(item.text, "the text to search"),
      mode: searchModeOf(item.mode),
      types,
      threshold,
      limit,
    });
  }

  #belief(item: Extract<Item, { k: "belief" }>): void {
    const slot = this.#bind(item.variable);
    const { target } = item;
    if (target.k === "tuple") {
      if (target.predicate.k === "raw_path" || target.predicate.k === "variable") {
        throw new KipError("InvalidSyntax", "the predicate of a BELIEF is exact", { offset: target.at });
      }
      const predicate = this.names.predicateRef(textOfScalar(target.predicate, "a predicate"));
      this.#draft.patterns.push({
        op: "belief",
        slot,
        target: {
          k: "tuple",
          subject: this.#elementTerm(target.subject),
          predicate,
          object: this.#term(target.object),
        },
      });
      return;
    }
    const proposition: Arg =
      target.k === "variable"
        ? { k: "slot", slot: this.slot(target) }
        : { k: "const", value: this.#elementId(target.id) };
    if (target.k === "variable") this.read.push(target.name);
    this.#draft.patterns.push({ op: "belief", slot, target: { k: "proposition", proposition } });
  }

  #elementId(node: Scalar): number {
    const value = dataOf(node);
    const id = typeof value === "string" ? value : node.k === "element" ? node.id : undefined;
    if (id === undefined) throw new KipError("TypeMismatch", "an element id must be a string or an element");
    return requireId(id);
  }

  #elementTerm(term: Term): Arg {
    const arg = this.#term(term);
    if (arg.k === "const" && typeof arg.value !== "number")
      throw new KipError("TypeMismatch", "a subject must be an element, not a literal");
    return arg;
  }

  #term(term: Term): Arg {
    switch (term.k) {
      case "variable":
        return { k: "slot", slot: this.#bind(term) };
      case "element":
        return { k: "const", value: requireId(term.id) };
      case "literal":
        return { k: "const", value: held(term.value) };
      case "object": {
        // A parameter's object is a value, not a pattern.
        if (term.at < 0) throw new KipError("TypeMismatch", "an object cannot stand in a proposition");
        return this.#elementOf(term);
      }
      case "tuple":
      case "tuple_id": {
        const slot = this.#hidden();
        this.#proposition(slot, term);
        return { k: "slot", slot };
      }
      case "array":
        throw new KipError("TypeMismatch", "an array cannot stand in a proposition");
      case "parameter":
        throw new KipError("ReferenceError", `parameter :${term.name} is not bound`, { offset: term.at });
    }
  }

  /** An element by its id alone, of whatever kind, or a concept by what it is. */
  #elementOf(match: PatternObject): Arg {
    const [only, ...more] = match.members;
    if (only?.key === "id" && more.length === 0 && only.value.k !== "variable") return this.#idArg(only.value);
    const slot = this.#hidden();
    this.#concept(slot, match);
    return { k: "slot", slot };
  }

  /** What a member that names an element may be: its id as a text too. */
  #elementArg(value: PatternValue): Arg {
    return value.k === "object" ? this.#elementOf(value) : this.#idArg(value);
  }

  #proposition(slot: number | undefined, tuple: Tuple | Extract<Term, { k: "tuple_id" }>): void {
    if (tuple.k === "tuple_id") {
      const eid = this.#elementId(tuple.id);
      if (kindOf(eid) !== KIND.proposition) throw new KipError("TypeMismatch", `${formatId(eid)} is not a Proposition`);
      this.#draft.patterns.push({ op: "id", slot: slot ?? this.#hidden(), eid });
      return;
    }
    const subject = this.#elementTerm(tuple.subject);
    const object = this.#term(tuple.object);
    const { predicate } = tuple;
    if (predicate.k === "raw_path") {
      if (slot !== undefined && !(predicate.min === 1 && predicate.max === 1)) {
        throw new KipError("InvalidSyntax", "a raw path of several hops binds no proposition", { offset: tuple.at });
      }
      const types = predicate.alternatives.flatMap((symbol) =>
        this.names.predicateIds(textOfScalar(symbol, "a predicate")),
      );
      if (predicate.min === 1 && predicate.max === 1)
        this.#draft.patterns.push({ op: "proposition", slot, subject, object, types, predicateSlot: undefined });
      else this.#draft.patterns.push({ op: "path", subject, object, types, min: predicate.min, max: predicate.max });
      return;
    }
    const variable = predicate.k === "variable";
    this.#draft.patterns.push({
      op: "proposition",
      slot,
      subject,
      object,
      types: variable ? undefined : this.names.predicateIds(textOfScalar(predicate, "a predicate")),
      predicateSlot: variable ? this.#bind(predicate) : undefined,
    });
  }

  #structural(slot: number | undefined, source: Arg, name: string, target: Arg): void {
    const { ids, computed } = this.names.field(name);
    const edge = (from: Arg, field: string, to: Arg): void => {
      this.#draft.patterns.push({
        op: "edge",
        slot,
        source: from,
        fields: this.names.field(field).ids,
        fieldName: field,
        target: to,
      });
    };
    if (computed === undefined) {
      this.#draft.patterns.push({ op: "edge", slot, source, fields: ids, fieldName: name, target });
      return;
    }
    if (slot !== undefined) throw new KipError("InvalidSyntax", `${name} is computed and has no edge of its own`);
    if (computed === "compiled_by") return edge(target, "outputs", source);
    const activity: Arg = { k: "slot", slot: this.#hidden() };
    edge(activity, computed === "derived_from" ? "outputs" : "inputs", source);
    edge(activity, computed === "derived_from" ? "inputs" : "outputs", target);
  }

  #arg(value: PatternValue): Arg {
    if (value.k === "variable") return { k: "slot", slot: this.#bind(value) };
    if (value.k === "element") return { k: "const", value: requireId(value.id) };
    if (value.k === "tuple" || value.k === "tuple_id") return this.#term(value);
    return { k: "const", value: held(dataOf(value)) };
  }

  #checks(path: readonly string[], value: PatternValue, into: Check[]): void {
    if (value.k === "object") {
      for (const member of value.members) this.#checks([...path, member.key], member.value, into);
    } else if (value.k === "array") {
      into.push({ path, arg: { k: "list", items: value.items.map((item) => this.#arg(item)) } });
    } else into.push({ path, arg: this.#arg(value) });
  }

  /** The members of a match object that `special` does not take, as checks. */
  #members(kind: ElementKind, match: PatternObject, special: (key: string, value: PatternValue) => boolean): Check[] {
    const checks: Check[] = [];
    for (const { key, value } of match.members) {
      if (special(key, value)) continue;
      if (!MATCHED_FIELDS[kind].includes(key) && !COMMON_FIELDS.includes(key)) {
        const near = nearest(key, [...MATCHED_FIELDS[kind], ...COMMON_FIELDS]);
        throw new KipError(
          "SchemaFieldNotFound",
          `a ${kind} has no field ${JSON.stringify(key)}${near === undefined ? "" : `; did you mean ${near}?`}`,
        );
      }
      this.#checks([key], value, checks);
    }
    return checks;
  }

  #idArg(value: PatternValue): Arg {
    if (value.k === "literal" && typeof value.value === "string") return { k: "const", value: requireId(value.value) };
    return this.#arg(value);
  }

  #concept(slot: number, match: PatternObject): void {
    const draft: { -readonly [K in "id" | "types" | "key" | "name"]: ConceptOp[K] } = {
      id: undefined,
      types: undefined,
      key: undefined,
      name: undefined,
    };
    const checks = this.#members("concept", match, (key, value) => {
      if (key === "type" || (key === "schema_ref" && value.k !== "variable")) {
        if (value.k === "variable") return false;
        draft.types = this.names.typeIds(textOfScalar(value as Scalar, "a type"));
      } else if (key === "id") draft.id = this.#idArg(value);
      else if (key === "key" && (value.k === "variable" || value.k === "literal")) draft.key = this.#arg(value);
      else if (key === "name" && (value.k === "variable" || value.k === "literal")) draft.name = this.#arg(value);
      else return false;
      return true;
    });
    this.#draft.patterns.push({ op: "concept", slot, ...draft, checks });
  }

  #record(slot: number, kind: "assertion" | "evidence" | "activity", match: PatternObject): void {
    const draft: { -readonly [K in "id" | "types" | "proposition" | "actor"]: RecordOp[K] } = {
      id: undefined,
      types: undefined,
      proposition: undefined,
      actor: undefined,
    };
    const checks = this.#members(kind, match, (key, value) => {
      if (key === "id") draft.id = this.#idArg(value);
      else if (key === "proposition") draft.proposition = this.#elementArg(value);
      else if (key === "asserted_by") draft.actor = this.#elementArg(value);
      else if ((key === "evidence_class" || key === "activity_class") && value.k !== "variable") {
        draft.types = this.names.classIds(textOfScalar(value as Scalar, key));
      } else if (MATCHED_FIELDS[kind].includes(key) && LINKED.includes(key) && value.k !== "array") {
        this.#structural(undefined, { k: "slot", slot }, key, this.#elementArg(value));
      } else return false;
      return true;
    });
    this.#draft.patterns.push({ op: "record", kind: KIND[kind], slot, ...draft, checks });
  }
}
