import { describe, expect, test } from "vitest";

import { parseItems } from "./items.ts";
import { RETRIES_MAX, RETRY_AFTER_MS_MAX, retryDelayMs, toError } from "./provider-failure.ts";
import type { ProviderFailure } from "./provider-failure.ts";
import { findModel, modelsOf } from "./registry.ts";

const failure = (status: number, more: Partial<ProviderFailure> = {}): ProviderFailure => ({
  status,
  message: "no",
  providerCode: "",
  retryAfterMs: null,
  aborted: false,
  ...more,
});

describe("retries", () => {
  test.each([0, 408, 409, 425, 429, 500, 502, 503, 504, 529])("%i is tried again", (status) => {
    expect(retryDelayMs(failure(status), 0, 0.5)).toBeGreaterThan(0);
    expect(toError(failure(status)).retry).not.toBe("never");
  });

  test.each([400, 401, 402, 403, 404, 413, 418, 422])("%i is not", (status) => {
    expect(retryDelayMs(failure(status), 0, 0.5)).toBeNull();
    expect(toError(failure(status)).retry).toBe("never");
  });

  test("at most three times, never after a stop, never with an empty purse", () => {
    expect(retryDelayMs(failure(503), RETRIES_MAX - 1, 0.5)).not.toBeNull();
    expect(retryDelayMs(failure(503), RETRIES_MAX, 0.5)).toBeNull();
    expect(retryDelayMs(failure(503, { aborted: true }), 0, 0.5)).toBeNull();
    expect(retryDelayMs(failure(429, { providerCode: "insufficient_quota" }), 0, 0.5)).toBeNull();
  });

  test("the provider's wait is kept to, and one that is too long is left to the caller", () => {
    expect(retryDelayMs(failure(429, { retryAfterMs: 30_000 }), 0, 0.5)).toBe(30_000);
    expect(retryDelayMs(failure(429, { retryAfterMs: 0 }), 0, 0.5)).toBeGreaterThan(0);
    const long = failure(429, { retryAfterMs: RETRY_AFTER_MS_MAX + 1 });
    expect(retryDelayMs(long, 0, 0.5)).toBeNull();
    expect(toError(long)).toMatchObject({ code: "resource_exhausted", retry: { afterMs: RETRY_AFTER_MS_MAX + 1 } });
  });

  test("a bad key of the provider is not the caller's", () => {
    expect(toError(failure(401))).toMatchObject({ code: "failed_precondition", reason: "provider_credentials" });
    expect(toError(failure(0, { aborted: true }))).toMatchObject({ code: "aborted", retry: "never" });
  });
});

describe("models", () => {
  const none = { model: "", hasKey: false, hasBaseUrl: false };
  const gpt = { model: "gpt", hasKey: true, hasBaseUrl: false };
  const claude = { model: "claude", hasKey: true, hasBaseUrl: false };
  const configured = modelsOf({ openai: gpt, anthropic: claude });

  test("the default is the first configured model, else the script", () => {
    expect(findModel(configured, "default").name).toBe("openai/gpt");
    expect(findModel(modelsOf({ openai: none, anthropic: claude }), "default").name).toBe("anthropic/claude");
    const keyless = modelsOf({ openai: { ...gpt, hasKey: false }, anthropic: claude });
    expect(findModel(keyless, "default").name).toBe("anthropic/claude");
    expect(findModel(modelsOf({ openai: none, anthropic: none }), "default").name).toBe("offline/script");
  });

  test("names and labels", () => {
    expect(findModel(configured, "gpt").name).toBe("openai/gpt");
    expect(findModel(configured, "openai/gpt").providerModel).toBe("gpt");
    expect(findModel(configured, "claude")).toMatchObject({ name: "anthropic/claude", provider: "anthropic" });
    expect(findModel(configured, "script").name).toBe("offline/script");
    expect(() => findModel(configured, "nope")).toThrow(/offline\/script/);
    expect(configured.flatMap(({ labels }) => labels).filter((label) => label === "default")).toHaveLength(1);
  });

  test("a model that cannot be called says why", () => {
    const models = modelsOf({ openai: { ...gpt, hasKey: false }, anthropic: { ...claude, hasKey: false } });
    expect(() => findModel(models, "openai/gpt")).toThrow(/OPENAI_API_KEY/);
    expect(() => findModel(models, "claude")).toThrow(/ANTHROPIC_API_KEY/);
    expect(findModel(models, "default").name).toBe("offline/script");
    const own = modelsOf({ openai: { ...gpt, hasKey: false, hasBaseUrl: true }, anthropic: none });
    expect(own[0]?.unavailable).toBeNull();
  });
});

describe("items", () => {
  test("are taken as they are", () => {
    const items = [
      { type: "message", role: "user", text: "a", parts: [] },
      { type: "function_call", call_id: "c", name: "f", arguments: "{" },
      { type: "function_call_output", call_id: "c", output: "" },
      { type: "reasoning", text: "r" },
    ];
    expect(parseItems(JSON.stringify(items))).toEqual(items);
  });

  test.each([
    "{",
    "{}",
    "[1]",
    '[{"type":"x"}]',
    '[{"type":"message","role":"x","text":""}]',
    '[{"type":"reasoning"}]',
  ])("%s is refused", (json) => {
    expect(() => parseItems(json)).toThrow(expect.objectContaining({ code: "invalid_argument" }));
  });
});
