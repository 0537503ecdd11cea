/** Every bound of the language, in one place. Past one of them a request fails with a named limit, never silently. */

/** Longest command text, in UTF-8 bytes. */
export const COMMAND_BYTES_MAX = 256 * 1024;
/** Deepest nesting of brackets, braces, parentheses and unary operators. */
export const NESTING_DEPTH_MAX = 64;
/** Most operators `|| && == !=` in one expression. */
export const EXPRESSION_OPERATORS_MAX = 1024;
/** Most operations in one request. */
export const OPERATIONS_MAX = 256;
/** Longest chain of `merged_into` links that identity resolution follows. */
export const MERGE_HOPS_MAX = 64;
/** Most hops of a raw path whose quantifier has no upper bound. */
export const PATH_HOPS_MAX = 64;
/** Most bindings a query may hold at one time. */
export const BINDINGS_MAX = 1_000_000;
/** Longest regular expression text that `REGEX` accepts, in characters. */
export const REGEX_LENGTH_MAX = 256;
/** Longest subject text that `REGEX` is applied to, in characters. */
export const REGEX_SUBJECT_MAX = 4096;
/** Most rows that one SEARCH returns. */
export const SEARCH_LIMIT_MAX = 1000;
/** Most depth that LIST DEPENDENTS follows. */
export const DEPENDENTS_DEPTH_MAX = 32;
/** Most draft symbols that one Space may define for itself. */
export const DRAFT_SYMBOLS_MAX = 512;
/** Most elements that one transaction may change. */
export const TRANSACTION_ELEMENTS_MAX = 10_000;
