import { KipError, type Scalar } from "@mainspring/kip";
import { SEARCH_MODES, type SearchMode } from "./algebra.ts";
import { textOfScalar } from "./scalar.ts";

/** The mode as it was given, keyword by default. Throws `SearchModeUnsupported`. */
export function searchModeOf(given: Scalar | undefined): SearchMode {
  if (given === undefined) return "keyword";
  const mode = textOfScalar(given, "MODE");
  const known = SEARCH_MODES.find((name) => name === mode);
  if (known === undefined)
    throw new KipError("SearchModeUnsupported", `search mode ${JSON.stringify(mode)} is not supported`);
  return known;
}
