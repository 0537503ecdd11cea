/** model-router as a process of its own. */
import { runService } from "@mainspring/service-kit";

import { composeModelRouter } from "./compose.ts";
import { modelRouterEnvironment, modelRouterVariables } from "./config.ts";

await runService(
  { name: "model-router", variables: modelRouterVariables, compose: composeModelRouter },
  modelRouterEnvironment(),
);
