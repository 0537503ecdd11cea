/** BELIEF and BELIEF SLOT: the slots of all bound subjects are read together and projected. */
import { KipError, type JsonObject } from "@mainspring/kip";
import type { PropositionBody } from "../../domain/element.ts";
import { STATE } from "../../domain/element.ts";
import { formatId, kindOf } from "../../domain/element-id.ts";
import type { Arg, BeliefOp, Held, Row, SlotOp, Value } from "../../domain/query/algebra.ts";
import type { ProjectedSlot, SlotValue } from "../belief-reader.ts";
import type { QueryContext } from "./context.ts";

const valueKey = (value: Value): number | string => (typeof value === "number" ? value : value.identity);

export class BeliefMatcher {
  readonly #context: QueryContext;

  constructor(context: QueryContext) {
    this.#context = context;
  }

  #held(key: string, json: JsonObject): Held {
    return { json, identity: `belief ${key}` };
  }

  #subjects(arg: Arg, rows: readonly Row[]): number[] {
    const subjects = new Set<number>();
    for (const row of rows) {
      const value = this.#context.valueOf(arg, row);
      if (value === undefined)
        throw new KipError("ProjectionTargetUnbound", "the subject of a belief is not bound by any other pattern");
      if (typeof value === "number") subjects.add(this.#context.view.canonical(value));
    }
    if (subjects.size > this.#context.beliefs.targetsMax) {
      throw new KipError(
        "ProjectionTargetUnbounded",
        `a belief is asked about at most ${this.#context.beliefs.targetsMax} subjects`,
      );
    }
    return [...subjects];
  }

  slot(op: SlotOp, rows: readonly Row[]): Row[] {
    const slots = this.#context.beliefs.slots(this.#subjects(op.subject, rows), op.predicate);
    const rendered = new Map<number, Held>();
    const result: Row[] = [];
    for (const row of rows) {
      const value = this.#context.valueOf(op.subject, row);
      if (typeof value !== "number") continue;
      const subject = this.#context.view.canonical(value);
      let belief = rendered.get(subject);
      if (belief === undefined) {
        belief = this.#held(`slot ${op.predicate} ${subject}`, this.#context.beliefs.slotBelief(slots.get(subject)!));
        rendered.set(subject, belief);
      }
      const next = this.#context.unify(row, { k: "slot", slot: op.slot }, belief);
      if (next !== undefined) this.#context.push(result, next);
    }
    return result;
  }

  belief(op: BeliefOp, rows: readonly Row[]): Row[] {
    const { target } = op;
    return target.k === "tuple" ? this.#tuple(op, target, rows) : this.#propositions(op, target.proposition, rows);
  }

  #tuple(op: BeliefOp, target: Extract<BeliefOp["target"], { k: "tuple" }>, rows: readonly Row[]): Row[] {
    const slots = this.#context.beliefs.slots(
      this.#subjects(target.subject, rows),
      target.predicate,
      this.#asked(target.object, rows),
    );
    const result: Row[] = [];
    for (const row of rows) {
      const subject = this.#context.valueOf(target.subject, row);
      if (typeof subject !== "number") continue;
      const slot = slots.get(this.#context.view.canonical(subject))!;
      const asked = this.#context.valueOf(target.object, row);
      if (asked !== undefined) {
        const key = typeof asked === "number" ? this.#context.view.canonical(asked) : asked.identity;
        const value = slot.values.find((entry) => valueKey(this.#objectOf(entry)) === key);
        this.#emit(op, row, slot, value, `${target.predicate} ${slot.subject} ${key}`, result);
        continue;
      }
      for (const value of slot.values) {
        const next = this.#context.unify(row, target.object, this.#objectOf(value));
        if (next !== undefined)
          this.#emit(
            op,
            next,
            slot,
            value,
            `${target.predicate} ${slot.subject} ${valueKey(this.#objectOf(value))}`,
            result,
          );
      }
    }
    return result;
  }

  /** The values asked about, where every row asks about one. */
  #asked(object: Arg, rows: readonly Row[]): Set<number | string> | undefined {
    const asked = new Set<number | string>();
    for (const row of rows) {
      const value = this.#context.valueOf(object, row);
      if (value === undefined) return undefined;
      asked.add(typeof value === "number" ? this.#context.view.canonical(value) : value.identity);
    }
    return asked;
  }

  #objectOf(value: SlotValue): Value {
    const { object, literal } = value.proposition;
    return object ?? { json: JSON.parse(literal!) as string, identity: literal! };
  }

  #emit(op: BeliefOp, row: Row, slot: ProjectedSlot, value: SlotValue | undefined, key: string, result: Row[]): void {
    const belief = this.#held(key, this.#context.beliefs.belief(slot, value));
    const next = this.#context.unify(row, { k: "slot", slot: op.slot }, belief);
    if (next !== undefined) this.#context.push(result, next);
  }

  /** The slots of all propositions, one lookup for each predicate. */
  #readSlots(bound: readonly (Value | undefined)[]): void {
    const subjects = new Map<string, Set<number>>();
    for (const eid of bound) {
      const element = typeof eid === "number" && kindOf(eid) === 1 ? this.#context.element(eid) : undefined;
      if (element === undefined || element.a === null) continue;
      const predicate = (element.body as PropositionBody).predicate_ref;
      const known = subjects.get(predicate);
      if (known === undefined) subjects.set(predicate, new Set([element.a]));
      else known.add(element.a);
    }
    for (const [predicate, eids] of subjects) this.#context.beliefs.slots([...eids], predicate);
  }

  /** Beliefs about propositions that are bound already: each is one value of its slot. */
  #propositions(op: BeliefOp, arg: Arg, rows: readonly Row[]): Row[] {
    const result: Row[] = [];
    const bound = rows.map((row) => this.#context.valueOf(arg, row));
    if (bound.some((value) => value === undefined))
      throw new KipError("ProjectionTargetUnbound", "the proposition of a belief is not bound by any other pattern");
    this.#context.load(bound.filter((value) => typeof value === "number"));
    this.#readSlots(bound);
    for (const [index, row] of rows.entries()) {
      const eid = bound[index];
      if (typeof eid !== "number" || kindOf(eid) !== 1) continue;
      const element = this.#context.element(eid);
      if (element === undefined || element.state !== STATE.active) {
        throw new KipError("NotFoundOrNotVisible", `there is no proposition ${formatId(eid)}`);
      }
      const predicate = (element.body as PropositionBody).predicate_ref;
      const slot = this.#context.beliefs.slots([element.a!], predicate).get(this.#context.view.canonical(element.a!))!;
      const value = slot.values.find((entry) => entry.all.some((row) => row.eid === eid));
      this.#emit(op, row, slot, value, `${predicate} ${eid}`, result);
    }
    return result;
  }
}
