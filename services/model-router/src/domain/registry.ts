/** Which models there are, what else they are called, and which one a name means. */
import { MainspringError } from "@mainspring/kernel";

export const SCRIPT_MODEL = "offline/script";
export const EXTRACTIVE_MODEL = "offline/extractive";
export const DEFAULT_LABEL = "default";
export const SCRIPT_LABEL = "script";

/** What is known of the OpenAI-compatible provider; empty texts where nothing was set. */
export interface OpenAiSettings {
  readonly model: string;
  readonly hasKey: boolean;
  readonly hasBaseUrl: boolean;
}

export interface ModelEntry {
  /** `provider/model`. */
  readonly name: string;
  readonly provider: "offline" | "openai";
  /** What the provider calls it. */
  readonly providerModel: string;
  readonly labels: readonly string[];
  /** Null when it can be called, else why not. */
  readonly unavailable: string | null;
  /** 0 when not known. */
  readonly contextWindowTokens: number;
}

/** The models in the order in which they are listed. */
export function modelsOf(openai: OpenAiSettings): readonly ModelEntry[] {
  const unavailable = openAiProblem(openai);
  const isDefault = unavailable === null;
  const script: ModelEntry = {
    name: SCRIPT_MODEL,
    provider: "offline",
    providerModel: "script",
    labels: isDefault ? [SCRIPT_LABEL] : [DEFAULT_LABEL, SCRIPT_LABEL],
    unavailable: null,
    contextWindowTokens: 0,
  };
  const extractive: ModelEntry = {
    ...script,
    name: EXTRACTIVE_MODEL,
    providerModel: "extractive",
    labels: ["extractive"],
  };
  if (openai.model === "") return [script, extractive];
  const configured: ModelEntry = {
    name: `openai/${openai.model}`,
    provider: "openai",
    providerModel: openai.model,
    labels: isDefault ? [DEFAULT_LABEL, openai.model] : [openai.model],
    unavailable,
    contextWindowTokens: 0,
  };
  return [configured, script, extractive];
}

/** A server of one's own may need no key; without an address and a key there is nobody to ask. */
function openAiProblem({ model, hasKey, hasBaseUrl }: OpenAiSettings): string | null {
  if (model === "") return "OPENAI_MODEL_NAME is not set";
  return hasKey || hasBaseUrl ? null : "neither OPENAI_API_KEY nor OPENAI_BASE_URL is set";
}

/** The model that a name or label means. Throws `not_found`, or `failed_precondition` when it cannot be called. */
export function findModel(models: readonly ModelEntry[], name: string): ModelEntry {
  const entry = models.find((model) => model.name === name) ?? models.find((model) => model.labels.includes(name));
  if (entry === undefined) {
    const known = models.flatMap((model) => [model.name, ...model.labels]).join(", ");
    throw new MainspringError("not_found", `there is no model ${JSON.stringify(name)}; known are ${known}`, {
      reason: "model_not_found",
      param: "model",
    });
  }
  if (entry.unavailable !== null) {
    throw new MainspringError("failed_precondition", `the model ${entry.name} cannot be used: ${entry.unavailable}`, {
      reason: "model_unavailable",
      param: "model",
    });
  }
  return entry;
}
