import { endianness } from "node:os";

/**
 * System calls that workerd never needs and that kernel exploits often use, with their numbers on x86_64 and aarch64
 * (undefined where the architecture lacks the call). All fail with EPERM.
 */
const DENIED: readonly (readonly [
  name: string,
  x64: number | undefined,
  arm64: number | undefined,
])[] = [
  ["ptrace", 101, 117],
  ["syslog", 103, 116],
  ["setuid", 105, 146],
  ["setgid", 106, 144],
  ["setreuid", 113, 145],
  ["setregid", 114, 143],
  ["setresuid", 117, 147],
  ["setresgid", 119, 149],
  ["uselib", 134, undefined],
  ["personality", 135, 92],
  ["ustat", 136, undefined],
  ["sysfs", 139, undefined],
  ["modify_ldt", 154, undefined],
  ["pivot_root", 155, 41],
  ["_sysctl", 156, undefined],
  ["chroot", 161, 51],
  ["acct", 163, 89],
  ["settimeofday", 164, 170],
  ["mount", 165, 40],
  ["umount2", 166, 39],
  ["swapon", 167, 224],
  ["swapoff", 168, 225],
  ["reboot", 169, 142],
  ["sethostname", 170, 161],
  ["setdomainname", 171, 162],
  ["iopl", 172, undefined],
  ["ioperm", 173, undefined],
  ["create_module", 174, undefined],
  ["init_module", 175, 105],
  ["delete_module", 176, 106],
  ["quotactl", 179, 60],
  ["nfsservctl", 180, 42],
  ["lookup_dcookie", 212, 18],
  ["clock_settime", 227, 112],
  ["vserver", 236, undefined],
  ["mbind", 237, 235],
  ["set_mempolicy", 238, 237],
  ["kexec_load", 246, 104],
  ["add_key", 248, 217],
  ["request_key", 249, 218],
  ["keyctl", 250, 219],
  ["migrate_pages", 256, 238],
  ["unshare", 272, 97],
  ["move_pages", 279, 239],
  ["perf_event_open", 298, 241],
  ["fanotify_init", 300, 262],
  ["name_to_handle_at", 303, 264],
  ["open_by_handle_at", 304, 265],
  ["clock_adjtime", 305, 266],
  ["setns", 308, 268],
  ["process_vm_readv", 310, 270],
  ["process_vm_writev", 311, 271],
  ["kcmp", 312, 272],
  ["finit_module", 313, 273],
  ["kexec_file_load", 320, 294],
  ["bpf", 321, 280],
  ["execveat", 322, 281],
  ["userfaultfd", 323, 282],
  ["io_uring_setup", 425, 425],
  ["io_uring_enter", 426, 426],
  ["io_uring_register", 427, 427],
  ["open_tree", 428, 428],
  ["move_mount", 429, 429],
  ["fsopen", 430, 430],
  ["fsconfig", 431, 431],
  ["fsmount", 432, 432],
  ["fspick", 433, 433],
  ["pidfd_getfd", 438, 438],
  ["process_madvise", 440, 440],
  ["mount_setattr", 442, 442],
  ["quotactl_fd", 443, 443],
  ["landlock_create_ruleset", 444, 444],
  ["landlock_add_rule", 445, 445],
  ["landlock_restrict_self", 446, 446],
  ["memfd_secret", 447, 447],
  ["process_mrelease", 448, 448],
  ["set_mempolicy_home_node", 450, 450],
];

type Architecture = {
  /** AUDIT_ARCH_*, which the kernel passes in `seccomp_data.arch`. */
  audit: number;
  denied: number[];
  socket: number;
  socketpair: number;
  clone: number;
  clone3: number;
  /** Numbers from here on belong to another ABI on the same kernel (x32) and kill the process. */
  foreignFrom?: number;
};

/** The first call that was added to Linux after those that were reviewed. Numbers are the same on all architectures from 424 on. */
const FIRST_UNREVIEWED = 451;

const LOAD_WORD = 0x20;
const JUMP_EQUAL = 0x15;
const JUMP_AT_LEAST = 0x35;
const JUMP_ANY_BIT = 0x45;
const RETURN = 0x06;
const ALLOW = 0x7fff0000;
const KILL_PROCESS = 0x80000000;
const EPERM = 0x00050001;
const ENOSYS = 0x00050026;
const AF_UNIX = 1;
/** Every CLONE_NEW* flag of `clone`. CLONE_NEWTIME is none of them: `unshare` and `clone3` alone take it. */
const NEW_NAMESPACES = 0x7e020000;
// Offsets into `struct seccomp_data`.
const NUMBER = 0;
const ARCH = 4;
const FIRST_ARGUMENT = 16;

function architecture(name: string): Architecture {
  if (name === "x64") {
    const denied = DENIED.flatMap(([, x64]) => x64 ?? []);
    return {
      audit: 0xc000003e,
      denied,
      socket: 41,
      socketpair: 53,
      clone: 56,
      clone3: 435,
      foreignFrom: 0x40000000,
    };
  }
  if (name === "arm64") {
    const denied = DENIED.flatMap(([, , arm64]) => arm64 ?? []);
    return { audit: 0xc00000b7, denied, socket: 198, socketpair: 199, clone: 220, clone3: 435 };
  }
  throw new Error(`No system call filter is available for the architecture ${name}`);
}

/**
 * The filter program for `bwrap --seccomp`. It denies the calls in `DENIED`, every socket except unix sockets, and every
 * call of another architecture. Calls that are newer than this list fail with ENOSYS, as on an older kernel. No process can create a namespace, in which it would have capabilities: `unshare` and `setns`
 * are denied, `clone` with such a flag too. `clone3` fails with ENOSYS, because its flags are behind a pointer that a filter
 * cannot follow; C libraries then fall back to `clone`.
 */
export function seccompProgram(arch: string = process.arch): Buffer {
  const { audit, denied, socket, socketpair, clone, clone3, foreignFrom } = architecture(arch);
  const program: Buffer[] = [];
  const add = (code: number, value: number, ifTrue = 0, ifFalse = 0) => {
    program.push(instruction(code, value, ifTrue, ifFalse));
  };
  const answer = (number: number, verdict: number) => {
    add(JUMP_EQUAL, number, 0, 1);
    add(RETURN, verdict);
  };
  add(LOAD_WORD, ARCH);
  add(JUMP_EQUAL, audit, 1, 0);
  add(RETURN, KILL_PROCESS);
  add(LOAD_WORD, NUMBER);
  if (foreignFrom !== undefined) {
    add(JUMP_AT_LEAST, foreignFrom, 0, 1);
    add(RETURN, KILL_PROCESS);
  }
  add(JUMP_AT_LEAST, FIRST_UNREVIEWED, 0, 1);
  add(RETURN, ENOSYS);
  for (const number of denied) answer(number, EPERM);
  answer(clone3, ENOSYS);
  add(JUMP_EQUAL, clone, 0, 4);
  add(LOAD_WORD, FIRST_ARGUMENT);
  add(JUMP_ANY_BIT, NEW_NAMESPACES, 0, 1);
  add(RETURN, EPERM);
  add(RETURN, ALLOW);
  add(JUMP_EQUAL, socket, 1, 0);
  add(JUMP_EQUAL, socketpair, 0, 3);
  add(LOAD_WORD, FIRST_ARGUMENT);
  add(JUMP_EQUAL, AF_UNIX, 1, 0);
  add(RETURN, EPERM);
  add(RETURN, ALLOW);
  return Buffer.concat(program);
}

/** One `struct sock_filter` in the machine's byte order. */
function instruction(code: number, value: number, ifTrue: number, ifFalse: number): Buffer {
  if (endianness() !== "LE") throw new Error("workerd runs on little-endian machines only");
  const bytes = Buffer.alloc(8);
  bytes.writeUInt16LE(code, 0);
  bytes.writeUInt8(ifTrue, 2);
  bytes.writeUInt8(ifFalse, 3);
  bytes.writeUInt32LE(value, 4);
  return bytes;
}
