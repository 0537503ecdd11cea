export { Seeded } from "./seeded.ts";
