import { fork, type ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { createServer, type Server, type Socket } from "node:net";
import { fileURLToPath } from "node:url";
import { LaunchedProcess } from "./launched-process.ts";
import type { Descriptor, ExitStatus, LaunchOptions, Report, Request } from "./messages.ts";
import { TOKEN_LENGTH } from "./messages.ts";

const START_MS = 15_000;
/** How long a connection may take to say which stream it is. */
const TOKEN_MS = 5_000;

/** What to start. Descriptors are nothing, a stream to the service, or a file opened for reading. */
export type LaunchRequest = Omit<LaunchOptions, "stdio"> & {
  stdio: readonly ("ignore" | "pipe" | { file: string })[];
};

type Pending = {
  streams: Map<string, { index: number; socket: Socket | undefined }>;
  pid: number | undefined;
  exited: PromiseWithResolvers<ExitStatus>;
  started: PromiseWithResolvers<LaunchedProcess>;
  timer: NodeJS.Timeout;
};

let current: Launcher | undefined;

/**
 * Starts a process through the launcher. Forking the service itself would hold its event loop for about 10 ms per 100 MB of its
 * memory, whose page tables the kernel copies. Throws if the process cannot be started.
 */
export function launchProcess(request: LaunchRequest): Promise<LaunchedProcess> {
  current ??= new Launcher(request.inheritedDescriptors, (ended) => {
    if (current === ended) current = undefined;
  });
  return current.start(request);
}

/** A small process that starts the others. There is one for the whole service. */
class Launcher {
  readonly #child: ChildProcess;
  readonly #server: Server;
  readonly #address = `\0toolhost-${randomBytes(16).toString("hex")}`;
  readonly #listening: Promise<void>;
  readonly #starting = new Map<number, Pending>();
  readonly #running = new Map<number, PromiseWithResolvers<ExitStatus>>();
  #lastId = 0;

  constructor(inherited: readonly number[], onEnd: (launcher: Launcher) => void) {
    this.#server = createServer((socket) => this.#accept(socket)).unref();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#listening = promise;
    this.#server.once("error", reject).listen(this.#address, resolve);
    this.#child = forkLauncher(inherited);
    this.#child.on("message", (report: Report) => this.#receive(report));
    let hasEnded = false;
    const end = (problem: string) => {
      if (hasEnded) return;
      hasEnded = true;
      onEnd(this);
      this.#end(problem);
    };
    this.#child.once("error", ({ message }) => end(message));
    this.#child.once("exit", (code, signal) => end(`exited with ${signal ?? `code ${code}`}`));
  }

  async start({ stdio, ...rest }: LaunchRequest): Promise<LaunchedProcess> {
    await this.#listening;
    const id = (this.#lastId += 1);
    const streams: Pending["streams"] = new Map();
    const descriptors = stdio.map((one, index): Descriptor => {
      if (one !== "pipe") return one;
      const token = randomBytes(TOKEN_LENGTH / 2).toString("hex");
      streams.set(token, { index, socket: undefined });
      return { token };
    });
    const pending: Pending = {
      streams,
      pid: undefined,
      exited: Promise.withResolvers(),
      started: Promise.withResolvers(),
      timer: setTimeout(() => this.#fail(id, `no process within ${START_MS} ms`), START_MS),
    };
    this.#starting.set(id, pending);
    this.#keepAlive();
    this.#send({
      kind: "start",
      id,
      address: this.#address,
      options: { ...rest, stdio: descriptors },
    });
    return pending.started.promise;
  }

  #receive(report: Report): void {
    const { id } = report;
    const pending = this.#starting.get(id);
    if (report.kind === "failed") this.#fail(id, report.problem);
    else if (report.kind === "exited") {
      (pending?.exited ?? this.#running.get(id))?.resolve(report);
    } else if (pending === undefined) this.#send({ kind: "kill", id });
    else {
      pending.pid = report.pid;
      this.#completeIfReady(id, pending);
    }
  }

  /** Finds the stream that a connection is by the token that it sends first. */
  #accept(socket: Socket): void {
    socket.on("error", () => {});
    const timer = setTimeout(() => socket.destroy(), TOKEN_MS).unref();
    const identify = () => {
      const token: unknown = socket.read(TOKEN_LENGTH);
      if (!Buffer.isBuffer(token)) return;
      clearTimeout(timer);
      socket.off("readable", identify);
      if (!this.#assign(token.toString("latin1"), socket)) socket.destroy();
    };
    socket.on("readable", identify);
  }

  #assign(token: string, socket: Socket): boolean {
    for (const [id, pending] of this.#starting) {
      const stream = pending.streams.get(token);
      if (stream === undefined || stream.socket !== undefined) continue;
      stream.socket = socket;
      this.#completeIfReady(id, pending);
      return true;
    }
    return false;
  }

  #completeIfReady(id: number, { streams, pid, exited, started, timer }: Pending): void {
    const all = [...streams.values()];
    if (pid === undefined || all.some(({ socket }) => socket === undefined)) return;
    clearTimeout(timer);
    this.#starting.delete(id);
    this.#running.set(id, exited);
    void exited.promise.then(() => {
      this.#running.delete(id);
      this.#keepAlive();
    });
    const byIndex: (Socket | undefined)[] = [];
    for (const { index, socket } of all) byIndex[index] = socket;
    const kill = () => this.#send({ kind: "kill", id });
    started.resolve(new LaunchedProcess(pid, byIndex, exited.promise, kill));
  }

  #fail(id: number, problem: string): void {
    const pending = this.#starting.get(id);
    if (pending === undefined) return;
    this.#starting.delete(id);
    clearTimeout(pending.timer);
    for (const { socket } of pending.streams.values()) socket?.destroy();
    pending.started.reject(new Error(`The process could not be started: ${problem}`));
    this.#keepAlive();
  }

  /** The kernel has killed all processes of a launcher that ended. */
  #end(problem: string): void {
    this.#server.close();
    for (const id of this.#starting.keys()) this.#fail(id, `the launcher ${problem}`);
    for (const exited of this.#running.values()) exited.resolve({ code: null, signal: "SIGKILL" });
  }

  /** The service waits for its processes before it exits, but not for an idle launcher. */
  #keepAlive(): void {
    const isIdle = this.#starting.size === 0 && this.#running.size === 0;
    if (isIdle) this.#child.channel?.unref();
    else this.#child.channel?.ref();
  }

  #send(request: Request): void {
    // A launcher that ended is reported by its exit.
    this.#child.send(request, () => {});
  }
}

function forkLauncher(inherited: readonly number[]): ChildProcess {
  const stdio: ("ignore" | "inherit" | "ipc")[] = ["ignore", "ignore", "inherit", "ipc"];
  while (stdio.length <= Math.max(0, ...inherited)) stdio.push("ignore");
  const child = fork(fileURLToPath(new URL("./launcher-process.ts", import.meta.url)), [], {
    // It needs no settings or secrets of the service.
    env: {},
    execArgv: ["--max-old-space-size=64", "--no-warnings"],
    stdio,
    // Signals of a terminal and of a supervisor are for the service.
    detached: true,
  });
  child.unref();
  child.channel?.unref();
  return child;
}
