/** The typed syntax tree. `at` is the character offset of a node in the command; printing and comparing ignore it. */
import type { JsonScalar } from "../json.ts";

export interface Literal {
  readonly k: "literal";
  readonly value: JsonScalar;
}
export interface Parameter {
  readonly k: "parameter";
  readonly name: string;
  readonly at: number;
}
/** An element that a parameter `{id}` was bound to. Never made by the parser. */
export interface ElementRef {
  readonly k: "element";
  readonly id: string;
}
export interface Variable {
  readonly k: "variable";
  readonly name: string;
  readonly at: number;
}
export interface Path {
  readonly k: "path";
  readonly name: string;
  readonly steps: readonly string[];
  readonly at: number;
}
export interface ArrayNode<T> {
  readonly k: "array";
  readonly items: readonly T[];
}
export interface Member<T> {
  readonly key: string;
  readonly value: T;
}
export interface ObjectNode<T> {
  readonly k: "object";
  readonly members: readonly Member<T>[];
  readonly at: number;
}
export interface Call {
  readonly k: "call";
  readonly name: string;
  readonly args: readonly Expression[];
  readonly at: number;
}
export interface Unary {
  readonly k: "unary";
  readonly op: "!" | "-";
  readonly operand: Expression;
}
export type BinaryOperator = "||" | "&&" | "==" | "!=" | "<" | ">" | "<=" | ">=";
export interface Binary {
  readonly k: "binary";
  readonly op: BinaryOperator;
  readonly left: Expression;
  readonly right: Expression;
}

export type Scalar = Literal | Parameter | ElementRef | DataArray | DataObject;
export type DataArray = ArrayNode<Data>;
export type DataObject = ObjectNode<Data>;
/** What may be assigned: literals, parameters, variables, paths, arrays, objects and update calls. */
export type Data = Literal | Parameter | ElementRef | Variable | Path | DataArray | DataObject | Call;
export type Expression = Data | Unary | Binary;

export interface TupleById {
  readonly k: "tuple_id";
  readonly id: Scalar;
  readonly at: number;
}
export interface Tuple {
  readonly k: "tuple";
  readonly subject: Term;
  readonly predicate: Predicate;
  readonly object: Term;
  readonly at: number;
}
export type AnyTuple = Tuple | TupleById;
export type PatternValue =
  | Literal
  | Parameter
  | ElementRef
  | Variable
  | ArrayNode<PatternValue>
  | PatternObject
  | AnyTuple;
export type PatternObject = ObjectNode<PatternValue>;
/** Arrays and data objects only appear where a parameter was bound to one; they are refused when evaluated. */
export type Term = Literal | Parameter | ElementRef | Variable | PatternObject | AnyTuple | ArrayNode<PatternValue>;
export type Symbol = Scalar;
export interface PathPredicate {
  readonly k: "raw_path";
  readonly alternatives: readonly Symbol[];
  readonly min: number;
  /** Undefined: no upper bound. */
  readonly max: number | undefined;
}
export type Predicate = Symbol | Variable | PathPredicate;

export interface Aggregate {
  readonly k: "aggregate";
  readonly fn: "COUNT" | "SUM" | "AVG" | "MIN" | "MAX";
  readonly distinct: boolean;
  readonly operand: Variable | Path;
  readonly at: number;
}
export type Projection = Variable | Path | Aggregate;

export type ElementKind = "concept" | "proposition" | "assertion" | "evidence" | "activity";
export interface ConceptPattern {
  readonly k: "concept";
  readonly variable: Variable;
  readonly match: PatternObject;
}
export interface PropositionPattern {
  readonly k: "proposition";
  readonly variable: Variable | undefined;
  readonly tuple: AnyTuple;
}
export interface RecordPattern {
  readonly k: "record";
  readonly kind: "assertion" | "evidence" | "activity";
  readonly variable: Variable;
  readonly match: PatternObject;
}
export interface StructuralPattern {
  readonly k: "structural";
  readonly variable: Variable | undefined;
  readonly source: Term;
  readonly field: Symbol;
  readonly target: Term;
  readonly at: number;
}
export interface BeliefPattern {
  readonly k: "belief";
  readonly variable: Variable;
  readonly target: Variable | AnyTuple;
}
export interface SlotPattern {
  readonly k: "slot";
  readonly variable: Variable;
  readonly subject: Term;
  readonly predicate: Symbol;
  readonly at: number;
}
export interface SearchPattern {
  readonly k: "search";
  readonly variable: Variable;
  readonly kind: ElementKind;
  readonly text: Scalar;
  readonly type: Scalar | undefined;
  readonly predicate: Scalar | undefined;
  readonly mode: Scalar | undefined;
  readonly threshold: Scalar | undefined;
  readonly limit: Scalar;
}
export interface FilterItem {
  readonly k: "filter";
  readonly expression: Expression;
}
export interface BlockItem {
  readonly k: "not" | "optional" | "union";
  readonly items: readonly Item[];
  readonly at: number;
}
export type Item =
  | ConceptPattern
  | PropositionPattern
  | RecordPattern
  | StructuralPattern
  | BeliefPattern
  | SlotPattern
  | SearchPattern
  | FilterItem
  | BlockItem;

export interface OrderItem {
  readonly expression: Expression | Aggregate;
  readonly descending: boolean;
}
export interface Find {
  readonly k: "find";
  readonly projections: readonly Projection[];
  readonly where: readonly Item[];
  readonly asOfSeq: Scalar | undefined;
  readonly forTime: Scalar | undefined;
  readonly epistemic: DataObject | undefined;
  readonly orderBy: readonly OrderItem[];
  readonly limit: Scalar | undefined;
  readonly cursor: Scalar | undefined;
}

/** What a mutation names as its target or value: a variable or handle, a bound parameter or an id. */
export type Ref = Variable | Parameter | Literal | ElementRef | DataArray | DataObject;
export interface StructuralLink {
  readonly field: Symbol;
  readonly target: Ref;
  readonly options: DataObject | undefined;
}
export interface FacetAssignment {
  readonly facet: Symbol;
  readonly values: DataObject;
}
export interface FacetRemoval {
  readonly facet: Symbol;
  readonly names: readonly string[];
}
export interface Guard {
  readonly version: Scalar;
  readonly plane: "ELEMENT" | "ATTRIBUTES" | "STRUCTURAL" | "RETENTION" | "FACET";
  readonly facet: Symbol | undefined;
}
/** The SET and UNSET clauses of one statement. */
export interface Changes {
  readonly fields: DataObject | undefined;
  readonly attributes: DataObject | undefined;
  readonly facets: readonly FacetAssignment[];
  readonly structural: readonly StructuralLink[] | undefined;
  readonly unsetAttributes: readonly string[] | undefined;
  readonly unsetFacets: readonly FacetRemoval[];
  readonly unsetStructural: readonly StructuralLink[] | undefined;
}
interface Selecting {
  readonly target: Ref;
  readonly where: readonly Item[] | undefined;
  readonly limit: Scalar | undefined;
  readonly guards: readonly Guard[];
  readonly at: number;
}

export interface CreateConcept {
  readonly k: "create_concept";
  readonly handle: Variable;
  readonly type: Symbol | undefined;
  readonly clientKey: Scalar | undefined;
  readonly name: Scalar | undefined;
  readonly changes: Changes;
}
export interface CreateRecord {
  readonly k: "create_record";
  readonly kind: "assertion" | "evidence" | "activity";
  readonly handle: Variable;
  readonly clientKey: Scalar | undefined;
  readonly changes: Changes;
}
export interface Upsert {
  readonly k: "upsert";
  readonly handle: Variable;
  readonly match: PatternObject;
  readonly changes: Changes;
  readonly guards: readonly Guard[];
}
export interface Ensure {
  readonly k: "ensure";
  readonly handle: Variable | undefined;
  readonly tuple: AnyTuple;
  readonly expectNew: Scalar | undefined;
}
export interface Assert {
  readonly k: "assert";
  readonly handle: Variable | undefined;
  readonly tuple: AnyTuple;
  readonly body: DataObject;
  readonly superseding: Ref | undefined;
}
export interface Update extends Selecting {
  readonly k: "update";
  readonly changes: Changes;
}
export interface Transition extends Selecting {
  readonly k: "transition";
  readonly to: Scalar;
  readonly by: Ref | undefined;
  readonly changes: Changes;
}
export interface SetRetention extends Selecting {
  readonly k: "retention";
  readonly body: DataObject;
}
export interface Purge extends Selecting {
  readonly k: "purge";
  readonly policy: Scalar | undefined;
}
export interface PurgePayload extends Selecting {
  readonly k: "purge_payload";
}
export interface Merge extends Selecting {
  readonly k: "merge";
  readonly into: Ref;
}
export interface Define {
  readonly k: "define";
  readonly what: "predicate" | "type";
  readonly name: string;
  readonly body: DataObject;
}
export type Mutation =
  | CreateConcept
  | CreateRecord
  | Upsert
  | Ensure
  | Assert
  | Update
  | Transition
  | SetRetention
  | Purge
  | PurgePayload
  | Merge;
export interface Mutate {
  readonly k: "mutate";
  readonly statements: readonly Mutation[];
}

export interface AsOf {
  readonly by: "SEQ" | "TIME";
  readonly value: Scalar;
}
export type DescribeTopic =
  | "PRIMER"
  | "PROTOCOL"
  | "CAPABILITIES"
  | "SPACE"
  | "SCHEMA ENVIRONMENT"
  | "SNAPSHOT"
  | "TYPE"
  | "PREDICATE"
  | "FACET"
  | "STRUCTURAL FIELD"
  | "PACKAGE"
  | "COMPATIBILITY"
  | "ERROR"
  | "CAPSULE"
  | "EPISTEMIC POLICY"
  | "TRUST"
  | "ACCESS"
  | "TRANSACTION"
  | "TRANSACTION BY IDEMPOTENCY KEY";
export interface Describe {
  readonly k: "describe";
  readonly topic: DescribeTopic;
  /** The named thing; the mode of PRIMER; FROM of COMPATIBILITY. */
  readonly value: Scalar | undefined;
  readonly to: Scalar | undefined;
  readonly asOf: AsOf | undefined;
  readonly options: DataObject | undefined;
}
export type ListTopic =
  | "SPACES"
  | "TYPES"
  | "PREDICATES"
  | "FACETS"
  | "STRUCTURAL FIELDS"
  | "EPISTEMIC POLICIES"
  | "SCHEMA PACKAGES"
  | "DEPENDENTS";
export interface List {
  readonly k: "list";
  readonly topic: ListTopic;
  /** STATUS of packages, or the element of DEPENDENTS. */
  readonly value: Scalar | undefined;
  readonly depth: Scalar | undefined;
  readonly limit: Scalar | undefined;
  readonly cursor: Scalar | undefined;
}
export interface Search {
  readonly k: "search_command";
  readonly kind: ElementKind;
  readonly text: Scalar;
  readonly type: Scalar | undefined;
  readonly predicate: Scalar | undefined;
  readonly mode: Scalar | undefined;
  readonly threshold: Scalar | undefined;
  readonly asOfSeq: Scalar | undefined;
  readonly limit: Scalar | undefined;
  readonly cursor: Scalar | undefined;
}
export interface History {
  readonly k: "history";
  readonly element: Scalar | undefined;
  readonly from: Scalar | undefined;
  readonly to: Scalar | undefined;
  readonly limit: Scalar | undefined;
  readonly cursor: Scalar | undefined;
}
export interface ChangesStream {
  readonly k: "changes";
  readonly since: Scalar | undefined;
  readonly afterSeq: Scalar | undefined;
  readonly limit: Scalar | undefined;
}
export interface Inspect {
  readonly k: "inspect";
  readonly verb: "VERIFY" | "VALIDATE" | "PREVIEW";
  readonly topic: "CAPSULE" | "SCHEMA PACKAGE" | "RECEIPT" | "KQL" | "KML" | "IMPORT PLAN" | "IMPORT CAPSULE";
  readonly value: Scalar;
  readonly into: Scalar | undefined;
  readonly options: DataObject | undefined;
}
export interface ExportCapsule {
  readonly k: "export";
  readonly target: Ref;
  readonly where: readonly Item[];
  readonly options: DataObject | undefined;
  readonly asOfSeq: Scalar | undefined;
}
export type Meta = Describe | List | Search | History | ChangesStream | Inspect | ExportCapsule;
export type Statement = Find | Mutation | Mutate | Define | Meta;
