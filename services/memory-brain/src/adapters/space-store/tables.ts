/**
 * The tables of a Space. Row ids of elements are their internal ids, so the kind is in the id. `local` is about this copy of
 * the Space alone: how far its word index is.
 */

/** Columns of `element`, in order; `row_seq` is the sequence number from which a row holds. */
export const COLUMNS =
  "eid, kind, state, version, created_seq, updated_seq, created_at, updated_at, type, key, name, a, b, literal, body, row_seq";

const COLUMN_TYPES = `kind integer not null, state integer not null, version integer not null, created_seq integer not null,
  updated_seq integer not null, created_at integer not null, updated_at integer not null, type integer not null, key text, name text,
  a integer, b integer, literal text, body text not null, row_seq integer not null`;

/** Bump when the tables change; a file of another layout is refused. */
export const LAYOUT = 3;

/** The tables that are a Space's content, with their keys: what is dumped, recorded and compared. */
export const CONTENT: Readonly<Record<string, string>> = {
  meta: "k",
  element: "eid",
  element_history: "eid, row_seq",
  vector: "no",
  link: "source, field, from_seq, position",
  symbol: "id",
  client_key: "key",
  tx: "seq",
  outcome: "key",
  draft: "kind, name",
  package: "ref",
  conversation: "collection, id",
  conversation_evidence: "eid",
  space_token: "hash",
};

const fts = (name: string): string =>
  `create virtual table if not exists ${name} using fts5(text, content='', contentless_delete=1, detail=none, tokenize='unicode61 remove_diacritics 2');`;

export const TABLES = `
create table if not exists meta (k text primary key, v) without rowid;
create table if not exists element (eid integer primary key, ${COLUMN_TYPES});
create unique index if not exists concept_key on element (type, key) where kind = 0 and key is not null;
create index if not exists concept_bare_key on element (key) where kind = 0 and key is not null;
create index if not exists concept_name on element (name) where kind = 0 and name is not null;
create index if not exists concept_type on element (type) where kind = 0 and state = 0;
create index if not exists concept_merged on element (a) where kind = 0 and a is not null;
create index if not exists proposition_subject on element (a, type, b, literal, state) where kind = 1;
create index if not exists proposition_object on element (b, type, a, state) where kind = 1 and b is not null;
create index if not exists proposition_type on element (type, state, literal) where kind = 1;
create index if not exists inactive on element (state) where state > 0;
create index if not exists assertion_proposition on element (a) where kind = 2;
create index if not exists assertion_actor on element (b) where kind = 2;
create index if not exists record_class on element (type) where kind > 2 and state = 0;
create table if not exists element_history (eid integer not null, ${COLUMN_TYPES}, to_seq integer not null, primary key (eid, row_seq)) without rowid;
create index if not exists history_lookup on element_history (kind, type);
create index if not exists history_a on element_history (a) where a is not null;
create index if not exists history_b on element_history (b) where b is not null;
create table if not exists link (source integer not null, field integer not null, position integer not null, target integer not null,
  role text, stored integer not null, from_seq integer not null, to_seq integer, primary key (source, field, from_seq, position)) without rowid;
create index if not exists link_target on link (target, field);
create table if not exists symbol (id integer primary key, lineage text not null unique);
create table if not exists client_key (key text primary key, eid integer not null, digest text not null) without rowid;
create table if not exists tx (seq integer primary key, at integer not null, environment text not null, receipt text not null, changes text not null);
create table if not exists outcome (key text primary key, digest text not null, seq integer, response text not null, at integer not null) without rowid;
create table if not exists draft (kind text not null, name text not null, definition text not null, seq integer not null, promoted_to text, primary key (kind, name)) without rowid;
create table if not exists package (ref text primary key, artifact text not null) without rowid;
create table if not exists conversation (collection text not null, id integer not null, client_key text, digest text, user text not null, status text not null,
  body text not null, created_at integer not null, updated_at integer not null, primary key (collection, id)) without rowid;
create unique index if not exists conversation_key on conversation (collection, client_key) where client_key is not null;
create table if not exists conversation_evidence (eid integer primary key, collection text not null, id integer not null);
create table if not exists space_token (hash text primary key, shown text not null, name text not null unique, scope text not null, labels text,
  usage integer not null, created_at integer not null, updated_at integer not null, expires_at integer) without rowid;
create table if not exists vector (no integer primary key, eid integer not null, model text not null, dimension integer not null, vector blob not null);
create index if not exists vector_element on vector (eid);
create table if not exists local (k text primary key, v) without rowid;
${fts("fts_concept")} ${fts("fts_proposition")} ${fts("fts_record")}
`;
