/** What the Tab key offers: words of the language, and inside of a string the symbols of the Space. */
const WORDS = (
  "ACTIVITY AND AS ASC ASSERT ASSERTION ASSERTIONS AT ATTRIBUTES AVG BELIEF BY CAPABILITIES CHANGES CLIENT CONCEPT " +
  "CONFIRM CONTAINS COUNT CREATE CURSOR DEFINE DEPENDENTS DEPTH DESC DESCRIBE DISTINCT ELEMENT ENDS_WITH ENSURE " +
  "ENVIRONMENT EPISTEMIC ERROR EVIDENCE EXPECT FACET FACETS FIELD FIELDS FILTER FIND FOR HISTORY IN INTO IS_NOT_NULL " +
  "IS_NULL KEY KIND KML KQL LIMIT LIST MATCH MAX MERGE MIN MODE MUTATE NAME NOT OF OPTIONAL ORDER PACKAGE PACKAGES " +
  "PAYLOAD POLICIES POLICY PREDICATE PREDICATES PREVIEW PRIMER PROPOSITION PROTOCOL PURGE REGEX RETENTION SCHEMA SEARCH " +
  "SEQ SET SLOT SNAPSHOT SPACE STARTS_WITH STRUCTURAL SUM SUPERSEDING THRESHOLD TIME TO TRANSACTION TRANSITION TYPE " +
  "TYPES UNION UNSET UPDATE UPSERT VALIDATE VERIFY VERSION WHERE WITH"
).split(" ");
/** Commands of the shell itself. */
export const SHELL_COMMANDS = ["\\help", "\\json", "\\plan", "\\quit", "\\symbols"] as const;

/** As `readline` wants it: the candidates, and the piece of the line that each of them replaces. */
export function complete(line: string, symbols: readonly string[]): [string[], string] {
  if (/^\\\w*$/.test(line)) return [SHELL_COMMANDS.filter((name) => name.startsWith(line)), line];
  const quotes = line.replaceAll(/\\./g, "").split('"').length - 1;
  if (quotes % 2 === 1) {
    const begun = line.slice(line.lastIndexOf('"') + 1);
    return [symbols.filter((symbol) => beginsWith(symbol, begun)).map((symbol) => `${symbol}"`), begun];
  }
  const begun = /[A-Za-z_]*$/.exec(line)![0];
  if (begun === "" || /[?:\w]$/.test(line.slice(0, -begun.length))) return [[], begun];
  return [WORDS.filter((word) => beginsWith(word, begun)).map((word) => `${word} `), begun];
}

function beginsWith(text: string, begun: string): boolean {
  return text.toLowerCase().startsWith(begun.toLowerCase());
}
