/** `mainspring cwt`: makes key pairs and CBOR Web Tokens, without a server. */
import { readFileSync, writeFileSync } from "node:fs";
import { text as readAll } from "node:stream/consumers";

import { MainspringError } from "@mainspring/kernel";
import { Option } from "commander";
import type { Command } from "commander";

import { examples, wholeNumber } from "./context.ts";
import type { CommandContext } from "./context.ts";

const KEY_FILE_DEFAULT = "cwt-key";
const LIFE_S_DEFAULT = 3_600;
const LIFE_S_MAX = 10 * 365 * 86_400;

interface CwtFlags {
  readonly sub: string;
  readonly aud: string;
  readonly scope: "read" | "write" | "*";
  readonly expiresIn: number;
  readonly iss?: string;
  readonly keyFile: string;
}

export function cwtCommand(program: Command, context: CommandContext): void {
  const cwt = program
    .command("cwt")
    .description("Makes a CBOR Web Token, with which somebody may use a Space.")
    .option("--sub <principal>", "who shows it (required)")
    .option("--aud <space>", "Space that it is for; * for every Space (required)")
    .addOption(
      new Option("--scope <right>", "what it allows; * is everything, read and write are just that (required)").choices(
        ["read", "write", "*"],
      ),
    )
    .option("--expires-in <seconds>", "how long it is valid", wholeNumber(1, LIFE_S_MAX), LIFE_S_DEFAULT)
    .option("--iss <text>", "who issues it")
    .option("--key-file <path>", "file with the private key; - reads it from standard input", KEY_FILE_DEFAULT)
    .addHelpText(
      "after",
      examples(
        "mainspring cwt keygen",
        "ED25519_PUBKEYS=$(cat cwt-key.pub) mainspring up",
        'mainspring cwt --sub ana --aud notes --scope "*"',
        "mainspring cwt --sub dashboard --aud notes --scope read --expires-in 86400",
      ),
    )
    .action((flags: Partial<CwtFlags>) => make(complete(cwt, flags), context));
  keygenCommand(cwt, context);
}

/** Not mandatory to commander, which would ask for them below `keygen` too. */
function complete(cwt: Command, flags: Partial<CwtFlags>): CwtFlags {
  const missing = (["sub", "aud", "scope"] as const).find((name) => !flags[name]);
  if (missing !== undefined) cwt.error(`error: required option '--${missing}' not specified`);
  return flags as CwtFlags;
}

async function make(flags: CwtFlags, { output }: CommandContext): Promise<void> {
  const { signCwt } = await import("@mainspring/gateway/cwt");
  const { sub, aud, scope, expiresIn, iss, keyFile } = flags;
  const key = (keyFile === "-" ? await readAll(process.stdin) : readKey(keyFile)).trim();
  const now = Math.floor(Date.now() / 1000);
  const issuer = iss === undefined ? {} : { issuer: iss };
  const token = { subject: sub, audience: aud, scope, expiresAtS: now + expiresIn, issuedAtS: now, ...issuer };
  try {
    output.out(`${signCwt(token, key)}\n`);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new MainspringError("invalid_argument", `there is no private key in ${keyFile}; make one with cwt keygen`, {
      cause: error,
    });
  }
}

function readKey(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (cause) {
    throw new MainspringError(
      "failed_precondition",
      `${file} cannot be read; make a key with \`mainspring cwt keygen\``,
      {
        cause,
      },
    );
  }
}

function keygenCommand(cwt: Command, { output }: CommandContext): void {
  cwt
    .command("keygen")
    .description("Makes an Ed25519 key pair: the private key in a file for its owner alone, the public key beside it.")
    .argument("[file]", "where the private key goes; the public one goes to the same name with .pub", KEY_FILE_DEFAULT)
    .addHelpText("after", examples("mainspring cwt keygen", "ED25519_PUBKEYS=$(cat cwt-key.pub) mainspring up"))
    .action(async (file: string) => {
      const { newKeyPair } = await import("@mainspring/gateway/cwt");
      const { publicKey, privateKey } = newKeyPair();
      try {
        writeFileSync(file, `${privateKey}\n`, { mode: 0o600, flag: "wx" });
        writeFileSync(`${file}.pub`, `${publicKey}\n`, { flag: "wx" });
      } catch (cause) {
        const { code, path } = cause as NodeJS.ErrnoException;
        const why = code === "EEXIST" ? "is there already" : "cannot be written";
        throw new MainspringError("failed_precondition", `${path ?? file} ${why}`, { cause });
      }
      output.err(`${output.dim(`private key: ${file}; public key, for ED25519_PUBKEYS: ${file}.pub`)}\n`);
      output.out(`${publicKey}\n`);
    });
}
