import type { CapturedStream, Sandbox } from "../../ports/sandbox.ts";
import type { Tool } from "../../ports/tool.ts";

/** Longest time that a command may take. */
export const FOREGROUND_MS_MAX = 180_000;
/** Output of each stream that is returned, 256 KiB; the rest goes to the artifact store. */
export const INLINE_BYTES_MAX = 256 * 1024;
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
      `takes longer than ${FOREGROUND_MS_MAX / 1_000} s is stopped. Returns the exit status, standard output and standard error.`,
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
        ...(await streamOf("stdout", result.stdout, store)),
        ...(await streamOf("stderr", result.stderr, store)),
      };
    },
  };
}

async function streamOf(
  name: "stdout" | "stderr",
  { bytes, totalBytes }: CapturedStream,
  keep: (bytes: Uint8Array) => Promise<string>,
): Promise<Record<string, unknown>> {
  const text = new TextDecoder().decode(bytes.subarray(0, INLINE_BYTES_MAX));
  if (totalBytes <= INLINE_BYTES_MAX) return { [name]: text };
  const about = { [`${name}_bytes`]: totalBytes, [`${name}_artifact`]: await keep(bytes) };
  return { ...about, ...(bytes.length < totalBytes ? { [`${name}_artifact_bytes`]: bytes.length } : {}), [name]: text };
}
