import { headAndTail, jsonBytesOf, OUTPUT_BYTES_MAX } from "../../domain/preview.ts";
import type { CapturedStream, Sandbox, SandboxResult } from "../../ports/sandbox.ts";
import type { Tool } from "../../ports/tool.ts";

/** Longest time that a command may take. */
export const FOREGROUND_MS_MAX = 180_000;
/** Left for the rest of the answer: the exit status, and what tells of artifacts. */
const FRAME_BYTES = 2 * 1024;
/** Of both streams together, as JSON: an answer that is longer would be cut somewhere, and be no JSON any more. */
const STREAMS_JSON_BYTES_MAX = OUTPUT_BYTES_MAX - FRAME_BYTES;
const COMMAND_CHARS_MAX = 100_000;
/** Time left to end what the limit of the command did not. */
const MARGIN_MS = 10_000;

interface ShellArguments {
  readonly command: string;
  readonly timeout_ms: number;
}

/** `keep` stores what is too long to be returned and gives its digest, or an empty text. */
export function shellTool(sandbox: Sandbox, keep: (tenant: string, bytes: Uint8Array) => Promise<string>): Tool {
  return {
    name: "shell",
    description:
      `Runs a command with sh in the workspace. ${sandbox.promise} Nothing of it runs on after it ends. A command that ` +
      `takes longer than ${FOREGROUND_MS_MAX / 1_000} s is stopped. Returns the exit status, standard output ` +
      "and standard error; of a long one its beginning, its end, and the artifact that has the whole.",
    parameters: {
      type: "object",
      properties: {
        command: { type: "string", minLength: 1, maxLength: COMMAND_CHARS_MAX, description: "Text for `sh -c`." },
        timeout_ms: {
          type: "integer",
          minimum: 1,
          maximum: FOREGROUND_MS_MAX,
          default: FOREGROUND_MS_MAX,
          description: "Stop the command after so many milliseconds.",
        },
      },
      required: ["command"],
      additionalProperties: false,
    },
    recovery: "never_retry",
    exclusive: true,
    timeoutMs: FOREGROUND_MS_MAX + MARGIN_MS,
    async execute(args, context) {
      const { command, timeout_ms: timeoutMs } = args as unknown as ShellArguments;
      const workspace = await context.workspace();
      const result = await sandbox.run({ command, workspace, timeoutMs }, context.signal);
      const store = (bytes: Uint8Array): Promise<string> => keep(context.tenant, bytes);
      return {
        exit_status: result.exitStatus,
        ...(result.reason === "" ? {} : { ended_by: result.reason }),
        ...(await streamsOf(result, store)),
      };
    },
  };
}

type Keep = (bytes: Uint8Array) => Promise<string>;

/** Both streams as text: whole where they fit into an answer together, else what fits of each, and where the rest is. */
async function streamsOf({ stdout, stderr }: SandboxResult, keep: Keep): Promise<Record<string, unknown>> {
  const [outBytes, errBytes] = [stdout, stderr].map(jsonBytes) as [number, number];
  // What one does not need the other may have.
  const half = STREAMS_JSON_BYTES_MAX / 2;
  const outMax = STREAMS_JSON_BYTES_MAX - Math.min(errBytes, half);
  const errMax = STREAMS_JSON_BYTES_MAX - Math.min(outBytes, half);
  return {
    ...(await streamOf("stdout", stdout, outMax, keep)),
    ...(await streamOf("stderr", stderr, errMax, keep)),
  };
}

/** Of a stream that is far too long only that is known. */
function jsonBytes({ bytes, totalBytes }: CapturedStream): number {
  return totalBytes > STREAMS_JSON_BYTES_MAX ? Infinity : jsonBytesOf(new TextDecoder().decode(bytes));
}

async function streamOf(
  name: "stdout" | "stderr",
  stream: CapturedStream,
  jsonBytesMax: number,
  keep: Keep,
): Promise<Record<string, unknown>> {
  const { bytes, gapAt, totalBytes } = stream;
  if (jsonBytes(stream) <= jsonBytesMax) return { [name]: new TextDecoder().decode(bytes) };
  const lostBytes = totalBytes - bytes.length;
  const gap = new TextEncoder().encode(`\n[… ${lostBytes} bytes were not kept …]\n`);
  const kept = lostBytes === 0 ? bytes : Buffer.concat([bytes.subarray(0, gapAt), gap, bytes.subarray(gapAt)]);
  const artifact = await keep(kept);
  const whole = lostBytes === 0 ? "all" : `all but ${lostBytes} bytes in the middle`;
  const where = artifact === "" ? "it could not be stored" : `${whole} is artifact ${artifact}`;
  const note = `the middle of ${totalBytes} bytes is left out; ${where}`;
  return {
    [`${name}_bytes`]: totalBytes,
    [`${name}_artifact`]: artifact,
    [name]: headAndTail(bytes, note, jsonBytesMax),
  };
}
