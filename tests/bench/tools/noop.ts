/** A tool without latency, whose result has the size that is asked for. */
export default {
  name: "noop",
  description: "Returns at once.",
  parameters: {
    type: "object",
    properties: { bytes: { type: "integer", minimum: 0, maximum: 16_000, default: 2 } },
    additionalProperties: true,
  },
  recovery: "replay_safe",
  execute: ({ bytes }: { bytes: number }): string => "x".repeat(bytes),
};
