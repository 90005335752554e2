import { spawn, type ChildProcess } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { failure, MEBIBYTE, messages, output, run, testSandbox, until } from "./test-sandbox.ts";
import type { Report } from "./test-parent.ts";
import type { IsolationLayer, SandboxStatus } from "./types.ts";

const LAYERS: IsolationLayer[] = ["bwrap", "namespaces", "process"];
const UNPRIVILEGED_ID = "65534";
/** Everything that a process behind bubblewrap sees besides its libraries. */
const OWN_FILES = ["app", "dev", "egress.sock", "listen", "workerd"];
const isRoot = process.getuid?.() === 0;
const parents: ChildProcess[] = [];
const folders: string[] = [];

afterEach(() => {
  for (const parent of parents.splice(0)) parent.kill("SIGKILL");
});
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

function newFolder(): string {
  const path = mkdtempSync(join(tmpdir(), "layer-test-"));
  chmodSync(path, 0o777);
  folders.push(path);
  return path;
}

/** Starts a service in a separate process, behind `prefix`. */
async function startParent(
  args: string[],
  prefix: string[] = [],
): Promise<Report & { parent: ChildProcess }> {
  const script = join(import.meta.dirname, "test-parent.ts");
  const [program = "", ...rest] = [...prefix, process.execPath, script, ...args];
  const parent = spawn(program, rest, { stdio: ["ignore", "pipe", "inherit"], detached: true });
  parents.push(parent);
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let text = "";
  parent.stdout.on("data", (chunk: Buffer) => {
    text += chunk.toString();
    if (text.includes("\n")) resolve(text);
  });
  parent.once("exit", (code) => reject(new Error(`The service ended with ${code}`)));
  const report = JSON.parse(await promise) as Report;
  return { ...report, parent };
}

function isAlive(pid: number | undefined): boolean {
  if (!existsSync(`/proc/${pid}/stat`)) return false;
  const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
  return !/\) [ZX] /.test(stat);
}

/** The processes whose command line names a folder. */
function processesOf(folder: string): number[] {
  const pids = readdirSync("/proc").map(Number).filter(Number.isInteger);
  return pids.filter((pid) => {
    const file = `/proc/${pid}/cmdline`;
    return isAlive(pid) && existsSync(file) && readFileSync(file, "utf8").includes(folder);
  });
}

function statusOf(pid: number): Record<string, string> {
  const lines = readFileSync(`/proc/${pid}/status`, "utf8").trim().split("\n");
  return Object.fromEntries(lines.map((line) => line.split(":\t").map((word) => word.trim())));
}

const available = new Map<IsolationLayer, SandboxStatus>();
for (const layer of LAYERS) {
  const sandbox = await testSandbox({ isolation: layer, idleProcesses: 0 });
  const status = sandbox.status();
  if (!status.ready)
    process.stderr.write(`Skipping ${layer}: ${status.problem} ${status.advice}\n`);
  available.set(layer, status);
  await sandbox.stop();
}

function isAvailable(layer: IsolationLayer): boolean {
  return available.get(layer)?.ready === true;
}

/** The open files of a process, except sockets and files that every process opens. */
function foreignFiles(pid: number): string[] {
  return readdirSync(`/proc/${pid}/fd`)
    .map((fd) => targetOf(`/proc/${pid}/fd/${fd}`))
    .filter((target) => !/^(|\/|\/dev\/null|\/dev\/urandom|socket:.*|anon_inode:.*)$/.test(target));
}

/** Returns an empty string for a descriptor that was closed in the meantime. */
function targetOf(link: string): string {
  try {
    return readlinkSync(link);
  } catch {
    return "";
  }
}

/** Each change tests the strongest layer that works here. */
const strongest = LAYERS.find(isAvailable);

for (const layer of LAYERS.filter(isAvailable)) {
  describe(`behind ${layer}`, { tags: layer === strongest ? [] : ["nightly"] }, () => {
    test("runs a tool with limits and without network access", async () => {
      const sandbox = await testSandbox({ isolation: layer });
      expect(sandbox.status()).toEqual({ ready: true, layer });
      expect(await sandbox.check()).toEqual({ ready: true, layer });
      const hello = await run(sandbox, `export default (i) => { console.log("hi"); return i.a }`, {
        inputJson: '{"a":1}',
      });
      expect(output(hello)).toBe(1);
      expect(messages(hello)).toEqual(["hi"]);
      const fresh = `export default () => (globalThis.n = (globalThis.n ?? 0) + 1)`;
      for (let i = 0; i < 4; i++)
        expect(output(await run(sandbox, fresh, { isolation: "fresh" }))).toBe(1);
      const ends = await Promise.all([
        run(sandbox, `export default () => { for (;;); }`, { limits: { cpuMs: 200 } }),
        run(
          sandbox,
          `export default () => { const a = []; for (;;) a.push(new Uint8Array(8 << 20).fill(1)) }`,
        ),
        run(
          sandbox,
          `export default () => { const a = []; for (;;) a.push(new Array(1e5).fill(Math.random())) }`,
        ),
        run(
          sandbox,
          `export default () => { const a = []; for (;;) { const m = new WebAssembly.Memory({ initial: 512 }); new Uint8Array(m.buffer).fill(1); a.push(m) } }`,
        ),
        run(sandbox, `export default () => fetch("https://a.example/")`),
      ]);
      const codes = ends.map((end) => failure(end).code);
      expect(codes.join(" ")).toBe(
        "cpu_limit memory_limit memory_limit memory_limit egress_denied",
      );
      await sandbox.stop();
    });

    test("gives a process no capabilities, descriptors or variables of the service", async () => {
      const { pids } = await startParent(
        [layer, newFolder()],
        ["bash", "-c", 'exec "$@" 200</etc/hostname', "sh"],
      );
      const workers = pids.filter(
        (pid) => readFileSync(`/proc/${pid}/comm`, "utf8") === "workerd\n",
      );
      expect(workers.length).toBe(3);
      for (const pid of workers) {
        const status = statusOf(pid);
        const filter = layer === "bwrap" ? { Seccomp: "2" } : {};
        expect(status).toMatchObject({ CapEff: "0000000000000000", NoNewPrivs: "1", ...filter });
        expect(status["Uid"]).not.toMatch(/\b0\b/);
        const limits = readFileSync(`/proc/${pid}/limits`, "utf8");
        expect(limits).toMatch(/Max file size +0 /);
        expect(limits).toMatch(/Max core file size +0 /);
        expect(limits).toMatch(/Max open files +2048 /);
        expect(limits).toMatch(/Max data size +\d/);
        // A process that has just started may still be reading its configuration.
        await until(() => foreignFiles(pid).length === 0, 30_000);
        const variables = readFileSync(`/proc/${pid}/environ`, "latin1")
          .split("\0")
          .filter(Boolean);
        expect(variables.filter((variable) => !/^(LD_LIBRARY_PATH|PWD)=/.test(variable))).toEqual(
          [],
        );
        const spaces = ["net", "pid", "mnt", "user", "ipc", "uts"];
        const shared = spaces.filter((space) => {
          return (
            readlinkSync(`/proc/${pid}/ns/${space}`) === readlinkSync(`/proc/self/ns/${space}`)
          );
        });
        expect(shared).toEqual(layer === "process" ? spaces : []);
        const seen = readdirSync(`/proc/${pid}/root`).filter((name) => !/^lib|^usr$/.test(name));
        const own = layer === "bwrap" ? seen.toSorted() : OWN_FILES;
        expect(own).toEqual(OWN_FILES);
      }
    });

    test("is not reached by signals that a terminal sends to the service", async () => {
      const { parent, pids } = await startParent([layer, newFolder()]);
      process.kill(-(parent.pid ?? 0), "SIGHUP");
      await sleep(200);
      expect(pids.filter((pid) => !isAlive(pid))).toEqual([]);
    });

    test("leaves no process behind when the service is killed while one starts", async () => {
      const folder = newFolder();
      const started = join(folder, "started");
      const slow = join(folder, "prlimit");
      writeFileSync(slow, `#!/bin/sh\ntouch ${started}; sleep 0.3; exec /usr/bin/prlimit "$@"\n`);
      chmodSync(slow, 0o755);
      const script = join(import.meta.dirname, "test-parent.ts");
      const env = { ...process.env, PATH: `${folder}:${process.env["PATH"]}` };
      const parent = spawn(process.execPath, [script, layer, join(folder, "own")], {
        env,
        stdio: "ignore",
      });
      parents.push(parent);
      await until(() => existsSync(started), 20_000);
      parent.kill("SIGKILL");
      await sleep(500);
      await expect.poll(() => processesOf(folder), { timeout: 10_000 }).toEqual([]);
    });

    test("makes the kernel kill each process before the service when memory runs out", async () => {
      const { parent, launcher, pids } = await startParent([layer, newFolder()]);
      const scoreOf = (pid: number | undefined) =>
        readFileSync(`/proc/${pid}/oom_score_adj`, "utf8").trim();
      expect(new Set(pids.map(scoreOf))).toEqual(new Set(["1000"]));
      expect(scoreOf(parent.pid)).toBe(scoreOf(process.pid));
      expect(scoreOf(launcher)).toBe(scoreOf(process.pid));
    });

    test.each(["SIGKILL", "SIGTERM", "SIGINT"] as const)(
      "leaves no process behind when the service ends by %s",
      async (signal) => {
        const { parent, launcher, pids } = await startParent([layer, newFolder()]);
        expect(pids.length).toBeGreaterThanOrEqual(3);
        expect([launcher, ...pids].every(isAlive)).toBe(true);
        parent.kill(signal);
        await until(() => ![launcher, ...pids].some(isAlive), 15_000);
      },
    );

    test.skipIf(!isRoot)("works for an unprivileged user", async () => {
      const user = [
        "setpriv",
        `--reuid=${UNPRIVILEGED_ID}`,
        `--regid=${UNPRIVILEGED_ID}`,
        "--clear-groups",
      ];
      const own = join(newFolder(), "own");
      const { status, parent, launcher, pids } = await startParent([layer, own], user);
      expect(status).toEqual({ ready: true, layer });
      const scores = pids.map((pid) => readFileSync(`/proc/${pid}/oom_score_adj`, "utf8"));
      expect(new Set(scores)).toEqual(new Set(["1000\n"]));
      parent.kill("SIGKILL");
      await until(() => ![launcher, ...pids].some(isAlive), 5_000);
    });
  });
}

describe.skipIf(!isAvailable("namespaces"))("without user namespaces", () => {
  // A namespace in which the setting can be changed without affecting the machine.
  const close = 'echo 0 > /proc/sys/user/max_user_namespaces && exec "$@"';
  const closed = ["unshare", "--user", "--map-root-user", "sh", "-c", close, "sh"];
  // Without bubblewrap, its absence is reported first.
  test.skipIf(!isAvailable("bwrap"))(
    "names the kernel setting to change, and starts nothing",
    async () => {
      const { status, pids } = await startParent(["auto", newFolder()], closed);
      if (status.ready) throw new Error("It should not be ready");
      expect(status.problem).toMatch(/^bwrap: .+/);
      expect(status.advice).toContain("sysctl -w user.max_user_namespaces=15000");
      expect(pids).toEqual([]);
    },
  );

  test("falls back to the process layer if that is allowed, and reports it", async () => {
    const { status } = await startParent(["auto", newFolder(), "weaker"], closed);
    expect(status).toMatchObject({ ready: true, layer: "process" });
    expect(status.advice).toMatch(
      /weaker isolation layer, "process".*sysctl -w user\.max_user_namespaces=15000/,
    );
  });
});

test("works in a folder whose path is too long for sockets, and cleans up", async () => {
  const root = newFolder();
  const sandbox = await testSandbox({
    runtimeDir: join(root, "d".repeat(120), "e".repeat(60)),
    maxMemoryBytes: 64 * MEBIBYTE,
  });
  expect(output(await run(sandbox, `export default () => 1`))).toBe(1);
  await sandbox.stop();
});

test("removes what an earlier service left in its folder", async () => {
  const runtimeDir = newFolder();
  const { parent } = await startParent(["auto", runtimeDir, "weaker"]);
  parent.kill("SIGKILL");
  const sandbox = await testSandbox({ runtimeDir });
  expect(output(await run(sandbox, `export default () => 1`))).toBe(1);
  await sandbox.stop();
});
