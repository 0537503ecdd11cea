/** Which models there are, what else they are called, and which one a name means. */
import { MainspringError, noSuch } from "@mainspring/kernel";

export const SCRIPT_MODEL = "offline/script";
export const EXTRACTIVE_MODEL = "offline/extractive";
export const DEFAULT_LABEL = "default";
export const SCRIPT_LABEL = "script";

/** What is known of one provider; empty texts where nothing was set. */
export interface ProviderSettings {
  readonly model: string;
  readonly hasKey: boolean;
  readonly hasBaseUrl: boolean;
}

export interface ModelEntry {
  /** `provider/model`. */
  readonly name: string;
  readonly provider: "offline" | "openai" | "anthropic";
  /** What the provider calls it. */
  readonly providerModel: string;
  readonly labels: readonly string[];
  /** Null when it can be called, else why not. */
  readonly unavailable: string | null;
  /** 0 when not known. */
  readonly contextWindowTokens: number;
}

export interface ModelSettings {
  readonly openai: ProviderSettings;
  readonly anthropic: ProviderSettings;
}

/** The models in the order in which they are listed. The first that can be called is the default. */
export function modelsOf({ openai, anthropic }: ModelSettings): readonly ModelEntry[] {
  const script: ModelEntry = {
    name: SCRIPT_MODEL,
    provider: "offline",
    providerModel: "script",
    labels: [SCRIPT_LABEL],
    unavailable: null,
    contextWindowTokens: 0,
  };
  const extractive: ModelEntry = {
    ...script,
    name: EXTRACTIVE_MODEL,
    providerModel: "extractive",
    labels: ["extractive"],
  };
  const models = [...configured("openai", openai), ...configured("anthropic", anthropic), script, extractive];
  const first = models.findIndex(({ unavailable }) => unavailable === null);
  return models.map((model, index) =>
    index === first ? { ...model, labels: [DEFAULT_LABEL, ...model.labels] } : model,
  );
}

function configured(provider: "openai" | "anthropic", { model, hasKey, hasBaseUrl }: ProviderSettings): ModelEntry[] {
  if (model === "") return [];
  const name = provider.toUpperCase();
  // A server of one's own may need no key; without an address and a key there is nobody to ask.
  const unavailable = hasKey || hasBaseUrl ? null : `neither ${name}_API_KEY nor ${name}_BASE_URL is set`;
  const providerModel = model;
  return [
    { name: `${provider}/${model}`, provider, providerModel, labels: [model], unavailable, contextWindowTokens: 0 },
  ];
}

/** The model that a name or label means. Throws `not_found`, or `failed_precondition` when it cannot be called. */
export function findModel(models: readonly ModelEntry[], name: string): ModelEntry {
  const entry = models.find((model) => model.name === name) ?? models.find((model) => model.labels.includes(name));
  if (entry === undefined) {
    const known = [...new Set(models.flatMap((model) => [model.name, ...model.labels]))];
    throw new MainspringError("not_found", noSuch("model", name, known), {
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
