import { runKipBench } from "./bench.ts";

await runKipBench({ log: (line) => console.log(line) });
