/** The environment of model-router. */
import { commonVariables, kinds, httpListenVariable, listenVariable } from "@mainspring/service-kit/settings";
import type { ConfigOf, Environment, Variables } from "@mainspring/service-kit/settings";

const openAiVariables = {
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
    description: "Model of that provider. It gets the label `default`; without one that is offline/script.",
    schema: kinds.optionalText(),
  },
} as const satisfies Variables;

const anthropicVariables = {
  anthropicKey: {
    name: "ANTHROPIC_API_KEY",
    description: "Key of the Anthropic-compatible provider. A server of one's own may need none.",
    schema: kinds.optionalText(),
    secret: true,
  },
  anthropicBaseUrl: {
    name: "ANTHROPIC_BASE_URL",
    description: "Address of the Anthropic-compatible provider, without /v1. Default: Anthropic.",
    schema: kinds.url("http:", "https:"),
  },
  anthropicModel: {
    name: "ANTHROPIC_MODEL_NAME",
    description: "Model of that provider. It gets the label `default` where the OpenAI one cannot be used.",
    schema: kinds.optionalText(),
  },
} as const satisfies Variables;

export const providerVariables = { ...openAiVariables, ...anthropicVariables } as const satisfies Variables;

export const modelRouterVariables = {
  ...commonVariables,
  ...providerVariables,
  listen: listenVariable("model-router"),
  httpListen: httpListenVariable("model-router"),
} as const satisfies Variables;

/** What the composition needs: the same whether the service runs alone or with others. */
export type ModelRouterConfig = ConfigOf<typeof providerVariables>;

/** The process's environment; nothing else of this service reads it. */
export function modelRouterEnvironment(): Environment {
  return process.env;
}
