import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { constants, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { descendants } from "../../escape/support/processes.ts";
import { until } from "../test-sandbox.ts";
import type { IsolationLayer } from "../types.ts";
import { createJail, type Jail } from "./jail.ts";
import type { JailProcess } from "./jail-process.ts";
import { systemCallProgram } from "./system-call-program.ts";

const MEBIBYTE = 1024 * 1024;

/** Runs one line of code from its input, and writes the result. */
const SCRIPT = `
const write = (value) => process.stdout.write(JSON.stringify(value) + "\\n");
write("ready");
process.stdin.once("data", async (code) => {
  try {
    write({ gave: await eval("(async () => {" + code + "})()") ?? null });
  } catch (error) {
    write({ threw: error.code ?? error.message });
  }
});`;

const root = mkdtempSync(join(tmpdir(), "jail-test-"));
const secret = join(root, "secret.txt");
writeFileSync(secret, "hunter2");
afterAll(() => rmSync(root, { recursive: true, force: true }));

async function line({ output }: JailProcess): Promise<unknown> {
  const [chunk] = (await once(output, "data")) as [Buffer];
  return JSON.parse(chunk.toString());
}

describe.each<IsolationLayer>(["bwrap", "namespaces"])("a jail behind %s", (isolation) => {
  let jail: Jail;
  const started: JailProcess[] = [];
  beforeAll(async () => {
    const made = await createJail({
      runtimeDir: join(root, isolation),
      isolation,
      script: SCRIPT,
      programs: { HELPER: "/bin/true" },
      nodeFlags: [],
      environment: { GREETING: "hello" },
      limits: {
        memoryBytes: 1_024 * MEBIBYTE,
        cpuSeconds: 2,
        folderBytes: 4 * MEBIBYTE,
        maxProcesses: 40,
      },
      untilReady: async (process) => {
        await line(process);
      },
    });
    jail = made.jail;
    started.push(made.first);
  });
  afterAll(() => {
    for (const process of started) process.kill();
  });

  async function run(code: string): Promise<unknown> {
    const process = await jail.start();
    started.push(process);
    process.input.write(code);
    const end = process.exited.then(({ code: status, signal }) => ({ ended: signal ?? status }));
    return Promise.race([line(process), end]);
  }

  test("makes the kernel kill its processes before the service when memory runs out", async () => {
    const before = new Set(descendants(process.pid).map(({ pid }) => pid));
    started.push(await jail.start());
    const own = descendants(process.pid).filter(({ pid }) => !before.has(pid));
    expect(own.length).toBeGreaterThan(0);
    for (const { pid } of own) {
      expect(readFileSync(`/proc/${pid}/oom_score_adj`, "utf8")).toBe("1000\n");
    }
  });

  test("exposes nothing of the machine except the program", async () => {
    const look = `const { readdirSync } = require("node:fs"); return readdirSync("/").sort();`;
    const { gave } = (await run(look)) as { gave: string[] };
    expect(gave).toEqual(expect.arrayContaining(["HELPER", "node", "script.cjs", "work"]));
    expect(
      gave.filter((name) => !/^(?:HELPER|node|script\.cjs|work|lib\w*|usr)$/.test(name)),
    ).toEqual([]);
    for (const path of [secret, "/etc/passwd", "/proc/self/environ", "/dev/zero", root, "/tmp"]) {
      expect(
        await run(`return require("node:fs").readFileSync(${JSON.stringify(path)}, "utf8")`),
      ).toEqual({
        threw: "ENOENT",
      });
    }
  });

  test("has its own environment and no capabilities", async () => {
    const { gave } = (await run("return process.env")) as { gave: Record<string, string> };
    expect(gave).toMatchObject({ GREETING: "hello", HELPER: "/HELPER" });
    expect(
      Object.keys(gave).filter(
        (name) => !/^(?:GREETING|HELPER|LD_LIBRARY_PATH|PATH|PWD)$/.test(name),
      ),
    ).toEqual([]);
    expect(await run("return process.getuid()")).toEqual({ gave: 65_534 });
    expect(await run("process.chdir('/'); process.setuid(0)")).toMatchObject({
      threw: expect.any(String),
    });
  });

  test("allows writes only to its folder, up to its size", async () => {
    const write = (path: string, bytes: number) =>
      run(`require("node:fs").writeFileSync("${path}", Buffer.alloc(${bytes})); return "written"`);
    expect(await write("/work/a", 1_000)).toEqual({ gave: "written" });
    expect(await write("/a", 1)).toEqual({ threw: "EROFS" });
    expect(await write("/script.cjs", 1)).toEqual({ threw: "EROFS" });
    expect(await write("/work/a", 5 * MEBIBYTE)).toMatchObject({
      threw: expect.stringMatching(/ENOSPC|EFBIG/),
    });
    // Jails do not see each other's files.
    expect(await run('return require("node:fs").readdirSync("/work")')).toEqual({ gave: [] });
  });

  test("has no network access", async () => {
    const connect = `return new Promise((resolve) => {
      const socket = require("node:net").connect(80, "1.1.1.1");
      socket.on("connect", () => resolve("connected")).on("error", ({ code }) => resolve(code));
    });`;
    expect(await run(connect)).toEqual({ gave: expect.stringMatching(/ENETUNREACH|EPERM|EACCES/) });
  });

  // Behind the other layer, no filter refuses it: the kernel's own limits apply to what runs in a new namespace.
  describe.runIf(isolation === "bwrap" && process.arch === "x64")("filters system calls", () => {
    const { EFAULT, ENOSYS, EPERM } = constants.errno;
    const callNative = (call: number, argument = 0) => {
      const program = systemCallProgram(call, argument).toString("base64");
      return run(`require("node:fs").writeFileSync("native", Buffer.from("${program}", "base64"), { mode: 0o755 });
        return require("node:child_process").spawnSync("./native").status;`);
    };

    test("prevents new namespaces, in which a process would have capabilities", async () => {
      const [clone, signalAtEnd] = [56, 17];
      for (const namespace of [0x00020000, 0x02000000, 0x10000000, 0x40000000]) {
        expect(await callNative(clone, namespace | signalAtEnd)).toEqual({ gave: EPERM });
      }
      expect(await callNative(clone, signalAtEnd)).not.toEqual({ gave: EPERM });
    });

    test("allows pairs of unix sockets only", async () => {
      const socketpair = 53;
      for (const family of [2, 10, 16, 17, 30, 40]) {
        expect(await callNative(socketpair, family)).toEqual({ gave: EPERM });
      }
      expect(await callNative(socketpair, 1)).toEqual({ gave: EFAULT });
    });

    test("reports newer calls as unimplemented: statmount, listmount, open_tree_attr, listns", async () => {
      for (const call of [457, 458, 467, 470, 999]) {
        expect(await callNative(call)).toEqual({ gave: ENOSYS });
      }
    });
  });

  test("is killed when it uses too much memory or CPU time", { timeout: 60_000 }, async () => {
    const memory = "const all = []; for (;;) all.push(Buffer.alloc(10_000_000, 1));";
    const told = await run(memory);
    expect(told).not.toHaveProperty("gave");
    expect(await run("for (;;);")).toMatchObject({ ended: expect.anything() });
  });

  test("limits the number of processes", async () => {
    const fork = `const { spawn } = require("node:child_process"); let count = 0;
      for (let at = 0; at < 60; at++) {
        await new Promise((resolve) => {
          const child = spawn("/node", ["-e", "setTimeout(() => {}, 60000)"], { stdio: "ignore" });
          child.on("spawn", () => { count += 1; resolve(); }).on("error", resolve);
        });
      }
      return count;`;
    const answer = (await run(fork)) as { gave?: number };
    expect(answer.gave ?? 0).toBeLessThan(40);
  });

  test("ends with all of its processes when it is killed", async () => {
    const process = await jail.start();
    process.kill();
    expect(await process.exited).toMatchObject({ signal: "SIGKILL" });
    await until(() => process.hasExited());
    expect(existsSync(secret)).toBe(true);
  });
});

test("rejects with the script's exit code if no layer works (createJail)", async () => {
  const making = createJail({
    runtimeDir: join(root, "broken"),
    isolation: "bwrap",
    script: "process.exit(3)",
    programs: {},
    nodeFlags: [],
    environment: {},
    limits: {
      memoryBytes: 1_024 * MEBIBYTE,
      cpuSeconds: 2,
      folderBytes: MEBIBYTE,
      maxProcesses: 40,
    },
    untilReady: () => new Promise(() => {}),
  });
  await expect(making).rejects.toThrow(/exited with code 3/);
});
