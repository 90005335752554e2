import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir, totalmem } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { readMemoryLimit } from "./memory-limit.ts";

const megabyte = 1024 * 1024;
const machine = 8_192 * megabyte;
const roots: string[] = [];
afterEach(() => {
  for (const root of roots.splice(0)) rmSync(root, { recursive: true });
});

function limitWith(files: Record<string, string>): number {
  const root = mkdtempSync(join(tmpdir(), "memory-limit-"));
  roots.push(root);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), `${text}\n`);
  }
  return readMemoryLimit(root, machine) / megabyte;
}

describe("readMemoryLimit", () => {
  it("returns the machine's memory without a limit", () => {
    expect(limitWith({})).toBe(8_192);
    expect(limitWith({ "proc/self/cgroup": "0::/a", "sys/fs/cgroup/a/memory.max": "max" })).toBe(
      8_192,
    );
    expect(
      limitWith({
        "proc/self/cgroup": "5:memory:/",
        "sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712",
      }),
    ).toBe(8_192);
  });

  it("returns the lowest limit of the control group and its ancestors", () => {
    const group = { "proc/self/cgroup": "0::/system.slice/toolhost.service" };
    const parent = "sys/fs/cgroup/system.slice";
    const own = `${parent}/toolhost.service`;
    const [small, large] = [`${600 * megabyte}`, `${900 * megabyte}`];
    expect(limitWith({ ...group, [`${own}/memory.max`]: small })).toBe(600);
    expect(limitWith({ ...group, [`${parent}/memory.max`]: small })).toBe(600);
    expect(limitWith({ ...group, "sys/fs/cgroup/memory.max": small })).toBe(600);
    expect(
      limitWith({
        ...group,
        [`${own}/memory.max`]: large,
        [`${own}/memory.high`]: "max",
        [`${parent}/memory.max`]: small,
      }),
    ).toBe(600);
    expect(
      limitWith({ ...group, [`${own}/memory.max`]: large, [`${own}/memory.high`]: small }),
    ).toBe(600);
  });

  it("reads control groups of version 1, also where a container hides its path", () => {
    const group = { "proc/self/cgroup": "3:cpu,cpuacct:/x\n4:memory:/docker/0a1b\n0::/" };
    const limit = `${700 * megabyte}`;
    const mount = "sys/fs/cgroup/memory";
    expect(limitWith({ ...group, [`${mount}/docker/0a1b/memory.limit_in_bytes`]: limit })).toBe(
      700,
    );
    expect(limitWith({ ...group, [`${mount}/memory.limit_in_bytes`]: limit })).toBe(700);
  });

  it("returns at most the memory of this machine", () => {
    expect(readMemoryLimit()).toBeLessThanOrEqual(totalmem());
    expect(readMemoryLimit()).toBeGreaterThan(64 * megabyte);
  });
});
