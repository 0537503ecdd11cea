export { Corpus } from "./corpus.ts";
export { Random } from "./random.ts";
