/** The environment of model-router. */
import { commonVariables, kinds, httpListenVariable, listenVariable } from "@mainspring/service-kit";
import type { ConfigOf, Environment, Variables } from "@mainspring/service-kit";

export const openAiVariables = {
  openAiKey: {
    name: "OPENAI_API_KEY",
    description: "Key of the OpenAI-compatible provider. A server of one's own may need none.",
    schema: kinds.optionalText(),
    secret: true,
  },
  openAiBaseUrl: {
    name: "OPENAI_BASE_URL",
    description: "Address of the OpenAI-compatible provider, e.g. http://127.0.0.1:8000/v1. Default: OpenAI.",
    schema: kinds.url("http:", "https:"),
  },
  openAiModel: {
    name: "OPENAI_MODEL_NAME",
    description: "Model of that provider. It gets the label `default`; without it that is offline/script.",
    schema: kinds.optionalText(),
  },
} as const satisfies Variables;

export const modelRouterVariables = {
  ...commonVariables,
  ...openAiVariables,
  listen: listenVariable("model-router"),
  httpListen: httpListenVariable("model-router"),
} as const satisfies Variables;

/** What the composition needs: the same whether the service runs alone or with others. */
export type ModelRouterConfig = ConfigOf<typeof openAiVariables>;

/** The process's environment; nothing else of this service reads it. */
export function modelRouterEnvironment(): Environment {
  return process.env;
}
