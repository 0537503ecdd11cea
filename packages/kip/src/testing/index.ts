export { day, question, randomClaims, slotOf } from "./claims.ts";
export { Corpus } from "./corpus.ts";
export { Random } from "./random.ts";
export { slowSlot } from "./slow-belief.ts";
