/**
 * `npm run bench [-- --only embedded|distributed|memory] [--repetitions N] [--parked N]`: the figures that the project
 * promises, each beside a floor measured in the same run.
 */
import { parseArgs } from "node:util";

import { benchDistributed, benchEmbedded } from "./loop/main.ts";

const { values } = parseArgs({
  options: {
    only: { type: "string" },
    repetitions: { type: "string", default: "5" },
    parked: { type: "string", default: "10000" },
  },
});
const options = { repetitions: Number(values.repetitions), parked: Number(values.parked) };
const wanted = (part: string): boolean => values.only === undefined || values.only === part;
if (wanted("embedded")) await benchEmbedded(options);
if (wanted("distributed")) await benchDistributed(options);
process.exit(0);
