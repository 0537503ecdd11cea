/**
 * A tool of one's own. Start the server with MAINSPRING_TOOLS_DIR=examples/tools and an agent can call it.
 *
 * `recovery` says what may be done when the server dies during a call and nobody knows whether it took effect:
 *   replay_safe   run it again, it changes nothing
 *   idempotent    run it again under the same `context.idempotencyKey`, which whatever it changes must honour
 *   never_retry   (default) do not; the model is told that the outcome is unknown
 */
import { randomInt } from "node:crypto";

interface Arguments {
  readonly sides: number;
  readonly count: number;
}

export default {
  name: "roll_dice",
  description: "Rolls dice and returns the numbers and their sum.",
  parameters: {
    type: "object",
    properties: {
      sides: { type: "integer", minimum: 2, maximum: 1_000, default: 6 },
      count: { type: "integer", minimum: 1, maximum: 100, default: 1 },
    },
    additionalProperties: false,
  },
  recovery: "replay_safe",
  execute({ sides, count }: Arguments): object {
    const rolls = Array.from({ length: count }, () => randomInt(1, sides + 1));
    return { rolls, sum: rolls.reduce((sum, roll) => sum + roll, 0) };
  },
};
