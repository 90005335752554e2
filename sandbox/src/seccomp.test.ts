import { describe, expect, test } from "vitest";
import { seccompProgram } from "./seccomp.ts";

const ALLOW = 0x7fff0000;
const KILL = 0x80000000;
const EPERM = 0x00050001;
const ENOSYS = 0x00050026;
const X64 = {
  name: "x64",
  audit: 0xc000003e,
  socket: 41,
  socketpair: 53,
  ptrace: 101,
  bpf: 321,
  read: 0,
  clone: 56,
};
const ARM64 = {
  name: "arm64",
  audit: 0xc00000b7,
  socket: 198,
  socketpair: 199,
  ptrace: 117,
  bpf: 280,
  read: 63,
  clone: 220,
};

/** Runs a filter like the kernel, with the few instructions that the filters use. */
function killReason(program: Buffer, arch: number, call: number, argument = 0): number {
  const data = new Map([
    [0, call],
    [4, arch],
    [16, argument],
  ]);
  let accumulator = 0;
  for (let at = 0; at < program.length; at += 8) {
    const value = program.readUInt32LE(at + 4);
    const jump = (holds: boolean) => 8 * program.readUInt8(at + (holds ? 2 : 3));
    switch (program.readUInt16LE(at)) {
      case 0x20:
        accumulator = data.get(value) ?? 0;
        break;
      case 0x15:
        at += jump(accumulator === value);
        break;
      case 0x35:
        at += jump(accumulator >= value);
        break;
      case 0x45:
        at += jump((accumulator & value) !== 0);
        break;
      case 0x06:
        return value;
    }
  }
  throw new Error("The program has no end");
}

describe.each([X64, ARM64])("the filter for $name", ({ name, audit, ...calls }) => {
  const program = seccompProgram(name);
  const asked = (call: number, argument?: number) => killReason(program, audit, call, argument);

  test("allows what workerd needs", () => {
    expect(asked(calls.read)).toBe(ALLOW);
    expect(asked(calls.clone)).toBe(ALLOW);
  });

  test("denies system calls that workerd does not need", () => {
    expect(asked(calls.ptrace)).toBe(EPERM);
    expect(asked(calls.bpf)).toBe(EPERM);
    expect(asked(425)).toBe(EPERM);
  });

  test("allows only unix sockets", () => {
    expect(asked(calls.socket, 1)).toBe(ALLOW);
    expect(asked(calls.socketpair, 1)).toBe(ALLOW);
    for (const family of [0, 2, 10, 16, 17, 30, 38, 40]) {
      expect(asked(calls.socket, family)).toBe(EPERM);
      expect(asked(calls.socketpair, family)).toBe(EPERM);
    }
  });

  test("denies clone with the flag of any namespace, and allows threads and processes", () => {
    const flags = [0x20000, 0x2000000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000];
    for (const flag of flags) expect(asked(calls.clone, flag | 17)).toBe(EPERM);
    // SIGCHLD alone is a new process; what glibc and musl pass for a thread.
    for (const allowed of [17, 0x3d0f00, 0x7d0f00]) expect(asked(calls.clone, allowed)).toBe(ALLOW);
  });

  test("reports clone3, whose flags it cannot read, as unimplemented", () => {
    expect(asked(435)).toBe(ENOSYS);
  });

  test("reports calls that were added to Linux later as unimplemented", () => {
    expect(asked(449)).toBe(ALLOW);
    for (const call of [451, 457, 467, 1_000, 0x3fffffff]) expect(asked(call)).toBe(ENOSYS);
  });

  test("kills the process for a call of another architecture", () => {
    expect(killReason(program, 0x40000003, calls.read)).toBe(KILL);
  });
});

test("kills the process for calls through the x32 ABI of x86_64", () => {
  expect(killReason(seccompProgram("x64"), X64.audit, 0x40000000)).toBe(KILL);
});

test("throws for an unsupported architecture", () => {
  expect(() => seccompProgram("riscv64")).toThrow(/No system call filter .* riscv64/);
});
