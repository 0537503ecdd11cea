/**
 * A filter of system calls, as a program for the kernel: no user namespaces of one's own inside the sandbox, where a
 * command would be root again and could reach parts of the kernel that only root can. Everything else is allowed; what
 * a command must not do, it has no rights or no namespace for.
 *
 * `clone3` hides its flags from filters, so it is said not to exist, and C libraries fall back on `clone`.
 */
const CLONE_NEWUSER = 0x1000_0000;
const EPERM = 1;
const ENOSYS = 38;
/** System calls of the x32 interface, a second way to the same calls. */
const X32_BIT = 0x4000_0000;

/** Offsets in what the kernel shows to a filter. */
const NUMBER = 0;
const ARCHITECTURE = 4;
const FIRST_ARGUMENT = 16;

const LOAD = 0x20;
const IF_EQUAL = 0x15;
const IF_AT_LEAST = 0x35;
const IF_BITS = 0x45;
const RETURN = 0x06;
const ALLOW = 0x7fff_0000;
const FAIL = 0x0005_0000;

interface Machine {
  readonly audit: number;
  readonly clone: number;
  readonly unshare: number;
  readonly clone3: number;
}

const MACHINES: Readonly<Record<string, Machine>> = {
  x64: { audit: 0xc000_003e, clone: 56, unshare: 272, clone3: 435 },
  arm64: { audit: 0xc000_00b7, clone: 220, unshare: 97, clone3: 435 },
};

type Instruction = readonly [code: number, value: number, ifTrue?: number, ifFalse?: number];

/** Null for a machine that is not known. */
export function seccompFilter(architecture: string): Uint8Array | null {
  const machine = MACHINES[architecture];
  if (machine === undefined) return null;
  // Jumps count the instructions to leave out.
  const program: readonly Instruction[] = [
    [LOAD, ARCHITECTURE],
    [IF_EQUAL, machine.audit, 0, 9],
    [LOAD, NUMBER],
    [IF_AT_LEAST, X32_BIT, 7, 0],
    [IF_EQUAL, machine.clone3, 5, 0],
    [IF_EQUAL, machine.clone, 1, 0],
    [IF_EQUAL, machine.unshare, 0, 2],
    [LOAD, FIRST_ARGUMENT],
    [IF_BITS, CLONE_NEWUSER, 2, 0],
    [RETURN, ALLOW],
    [RETURN, FAIL + ENOSYS],
    [RETURN, FAIL + EPERM],
  ];
  const bytes = Buffer.alloc(program.length * 8);
  for (const [index, [code, value, ifTrue = 0, ifFalse = 0]] of program.entries()) {
    bytes.writeUInt16LE(code, index * 8);
    bytes.writeUInt8(ifTrue, index * 8 + 2);
    bytes.writeUInt8(ifFalse, index * 8 + 3);
    bytes.writeUInt32LE(value, index * 8 + 4);
  }
  return bytes;
}
