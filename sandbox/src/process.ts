import { mkdirSync, rmSync } from "node:fs";
import { chown } from "node:fs/promises";
import { join } from "node:path";
import { EgressGate } from "./egress/egress-gate.ts";
import { DispatcherClient } from "./dispatcher-client.ts";
import { sendCode } from "./exchange.ts";
import type { Exit } from "./exit.ts";
import { Gauge } from "./gauge.ts";
import { commandFor, CONTROL_FD, LISTEN_NAME, UNPRIVILEGED_ID } from "./layers.ts";
import type { Launch } from "./layers.ts";
import type { LaunchedProcess } from "./launcher/launched-process.ts";
import { launchProcess } from "./launcher/launcher.ts";
import { LineRouter } from "./logs.ts";
import { onlyChildOf } from "./only-child.ts";
import type { PrewarmedIsolate } from "./prewarming.ts";
import { RunChannel } from "./run-channel.ts";
import type { ToolCode } from "./types.ts";

const START_MS = 15_000;
const STDERR_BYTES = 16_384;
/** The service runs at 0. At 5, a process gets a third of the CPU time of one at 0 when both compete for a core. */
const NICENESS = 5;
/** Output that a process may write in one run beyond its log. Beyond that it is no longer read, so it blocks. */
const STRAY_OUTPUT_BYTES = 16 * 1024 * 1024;

/** How to start processes. The paths of each are created below `socketRoot`. */
export type LaunchTemplate = Omit<Launch, "slot"> & {
  appDir: string;
  socketRoot: string;
  /** The file with the system call filter. */
  filterPath: string;
};

let started = 0;

/** One workerd process behind its layer, with its egress gate and its loaded code. */
export class SandboxProcess {
  readonly pid: number;
  readonly gauge: Gauge;
  readonly egress: EgressGate;
  readonly lines = new LineRouter();
  readonly client: DispatcherClient;
  readonly channel: RunChannel;
  readonly startedAt = performance.now();
  /** Settles when the process has exited. */
  readonly exited: Promise<Exit>;
  readonly #exitListeners = new Set<(exit: Exit) => void>();
  #stderr = "";
  #isKilled = false;
  /** Set for life by the first lease. */
  workspaceId: string | undefined;
  /** The isolate key of the last lease. */
  lastKey: string | undefined;
  runs = 0;
  lastUsedAt = 0;
  /** When its last lease began, and how long the one before took; undefined before its first lease has ended. */
  leasedAt = 0;
  leaseMs: number | undefined;
  /** CPU time when it was last released to the pool, to detect leftover work. */
  releasedCpuMs = 0;
  readonly codes = new Set<string>();
  /** Names of isolates that can be reused. */
  readonly isolates = new Set<string>();
  prewarmed: PrewarmedIsolate | undefined;
  isDead = false;
  readonly #child: LaunchedProcess;
  #outputBytes = 0;
  #outputLimit = STRAY_OUTPUT_BYTES;

  private constructor(child: LaunchedProcess, pid: number, egress: EgressGate, dir: string) {
    this.#child = child;
    this.pid = pid;
    this.egress = egress;
    this.gauge = new Gauge(pid);
    const listenPath = join(dir, "listen", LISTEN_NAME);
    this.client = new DispatcherClient(listenPath);
    this.channel = new RunChannel(listenPath);
    const [, stdout, stderr] = child.streams;
    stdout?.on("data", (chunk: Buffer) => this.#read(chunk));
    stderr?.on("data", (chunk: Buffer) => {
      this.#stderr = (this.#stderr + chunk.toString()).slice(-STDERR_BYTES);
    });
    this.exited = child.closed.then(({ code, signal }) => {
      this.#cleanUp(dir);
      const exit = { code, signal, stderr: this.#stderr, isOurs: this.#isKilled };
      for (const listener of this.#exitListeners) listener(exit);
      return exit;
    });
  }

  /** Starts a process and waits until it listens. Throws with its standard error if it does not. */
  static async start(template: LaunchTemplate): Promise<SandboxProcess> {
    started += 1;
    const dir = join(template.socketRoot, started.toString(36));
    const listenDir = join(dir, "listen");
    mkdirSync(listenDir, { recursive: true, mode: 0o700 });
    const egressSocket = join(dir, "egress.sock");
    const egress = await EgressGate.listen(egressSocket);
    const slot = { appDir: template.appDir, listenDir, egressSocket };
    try {
      if (template.dropRoot === true) await chownAll([dir, listenDir, egressSocket]);
      const child = await launch({ ...template, slot }, template.filterPath);
      const pid = await untilListening(child, template.layer);
      return new SandboxProcess(child, pid, egress, dir);
    } catch (error) {
      egress.close();
      rmSync(dir, { recursive: true, force: true });
      throw error;
    }
  }

  /** Sends the code to the dispatcher unless it already has it. */
  async load(code: ToolCode): Promise<void> {
    if (this.codes.has(code.id)) return;
    await sendCode(this.client, code.id, code.module);
    this.codes.add(code.id);
  }

  /** Resets the output limit, and drops what earlier runs may have written to standard error. */
  expectOutput(logBytes: number): void {
    this.#stderr = "";
    this.#outputBytes = 0;
    this.#outputLimit = STRAY_OUTPUT_BYTES + 8 * logBytes;
  }

  /**
   * Calls `listener` when the process exits, unless the returned function is called first. Unlike a reaction to
   * `exited`, which stays in memory as long as the process lives, the listener can be removed.
   */
  onExit(listener: (exit: Exit) => void): () => void {
    this.#exitListeners.add(listener);
    return () => void this.#exitListeners.delete(listener);
  }

  get hasFlooded(): boolean {
    return this.#outputBytes > this.#outputLimit;
  }

  /** Revokes egress and kills immediately. The layers kill workerd along with their first process. */
  kill(): void {
    if (this.isDead) return;
    this.isDead = true;
    this.#isKilled = true;
    this.egress.revoke();
    this.#child.kill();
    // Its end waits for output that was paused because of a flood.
    this.#child.streams[1]?.resume();
  }

  #read(chunk: Buffer): void {
    this.#outputBytes += chunk.length;
    if (!this.hasFlooded) this.lines.feed(chunk);
    else if (!this.isDead) this.#child.streams[1]?.pause();
  }

  #cleanUp(dir: string): void {
    this.isDead = true;
    this.gauge.close();
    this.egress.close();
    this.client.close();
    this.channel.close();
    rmSync(dir, { recursive: true, force: true });
  }
}

async function chownAll(paths: string[]): Promise<void> {
  for (const path of paths) await chown(path, UNPRIVILEGED_ID, UNPRIVILEGED_ID);
}

function launch(launching: Launch, filterPath: string): Promise<LaunchedProcess> {
  const { layer, machine } = launching;
  return launchProcess({
    ...commandFor(launching),
    env: {},
    cwd: "/",
    // A process that is still starting may have a child that would survive it.
    isGroup: true,
    niceness: NICENESS,
    inheritedDescriptors: machine.inheritedDescriptors,
    stdio: [
      ...(["ignore", "pipe", "pipe", "pipe"] as const),
      ...(layer === "bwrap" ? [{ file: filterPath }] : []),
    ],
  });
}

/** The pid of workerd itself, once it listens. */
async function untilListening(child: LaunchedProcess, layer: string): Promise<number> {
  let stderr = "";
  const collect = (chunk: Buffer) => {
    stderr = (stderr + chunk.toString()).slice(-STDERR_BYTES);
  };
  const errors = child.streams[2];
  errors?.on("data", collect);
  const { promise: gone, reject } = Promise.withResolvers<never>();
  void child.closed.then(({ code, signal }) => {
    reject(new Error(`${stderr.trim()} (exited with ${signal ?? `code ${code}`})`.trim()));
  });
  const timer = setTimeout(
    () => reject(new Error(`The process did not listen within ${START_MS} ms. ${stderr}`)),
    START_MS,
  );
  try {
    await Promise.race([firstLine(child, CONTROL_FD), gone]);
    return layer === "process" ? child.pid : onlyChildOf(child.pid);
  } catch (error) {
    child.kill();
    throw error;
  } finally {
    clearTimeout(timer);
    errors?.off("data", collect);
    gone.catch(() => {});
  }
}

async function firstLine(child: LaunchedProcess, fd: number): Promise<string> {
  const stream = child.streams[fd];
  if (stream === undefined) throw new Error(`Descriptor ${fd} was not opened`);
  const { promise, resolve } = Promise.withResolvers<string>();
  let text = "";
  stream.on("data", (chunk: Buffer) => {
    if (text.length < STDERR_BYTES) text += chunk.toString();
    const end = text.indexOf("\n");
    if (end >= 0) resolve(text.slice(0, end));
  });
  return promise;
}
