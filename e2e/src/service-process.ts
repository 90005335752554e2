import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { createServer } from "node:net";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { programPath } from "./program.ts";
import { until } from "./until.ts";

/** The exit status and the output of a process. */
export type Exit = {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
};

/** The service in a separate process, started like with `npm start`. */
export type ServiceProcess = {
  pid: number;
  exited: Promise<Exit>;
  isRunning(): boolean;
  printed(): { stdout: string; stderr: string };
  signal(signal: NodeJS.Signals): void;
};

/** The service when it is ready. */
export type ReadyService = ServiceProcess & { baseUrl: string };

const mainFile = programPath("main");
const readyLine = /^Toolhost is ready at (\S+)$/m;
const alive = new Set<ChildProcess>();

// An interrupted test run must leave no service behind.
process.once("exit", () => {
  for (const child of alive) child.kill("SIGKILL");
});

/**
 * Starts the service in `workDir` with a minimal environment. `launcher` is a command that runs the one after it, such as
 * `nsenter`; `file` is another program that starts the service.
 */
export function spawnService(
  workDir: string,
  settings: Record<string, string>,
  launcher: readonly string[] = [],
  file: string = mainFile,
): ServiceProcess {
  const [program, ...args] = [...launcher, process.execPath, file];
  const child = spawn(program ?? process.execPath, args, {
    // Not the repository, which may contain a developer's .env.
    cwd: workDir,
    env: { ...shellEnvironment(), LOG_LEVEL: "warn", ...settings },
    stdio: ["ignore", "pipe", "pipe"],
  });
  alive.add(child);
  const { stdout, stderr } = child;
  const text = { stdout: "", stderr: "" };
  stdout.setEncoding("utf8").on("data", (chunk: string) => (text.stdout += chunk));
  stderr.setEncoding("utf8").on("data", (chunk: string) => (text.stderr += chunk));
  const exited = new Promise<Exit>((resolve, reject) => {
    child.once("error", reject);
    // "close" is emitted after all output was read, unlike "exit".
    child.once("close", (code, signal) => {
      alive.delete(child);
      resolve({ code, signal, ...text });
    });
  });
  return {
    pid: child.pid ?? -1,
    exited,
    isRunning: () => child.exitCode === null && child.signalCode === null,
    printed: () => ({ ...text }),
    signal: (signal) => void child.kill(signal),
  };
}

/** Waits for the line with the URL. Throws with the output if the start fails. */
export async function whenReady(service: ServiceProcess): Promise<ReadyService> {
  const baseUrl = await until("the service is ready", 45_000, () => {
    if (!service.isRunning()) {
      const { stdout, stderr } = service.printed();
      throw new Error(`The service did not start:\n${stdout}${stderr}`);
    }
    return readyLine.exec(service.printed().stdout)?.[1];
  });
  return { ...service, baseUrl };
}

/** Sends a signal and waits for the exit. After half a minute, the process is killed. */
export async function endService(service: ServiceProcess, signal: NodeJS.Signals): Promise<Exit> {
  if (service.isRunning()) service.signal(signal);
  const timer = setTimeout(() => service.signal("SIGKILL"), 30_000);
  return service.exited.finally(() => clearTimeout(timer));
}

/** A port that is currently free. */
export function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" ? (address?.port ?? 0) : 0));
    });
  });
}

const compileCache = fileURLToPath(
  new URL("../../node_modules/.cache/e2e-compile", import.meta.url),
);

function shellEnvironment(): Record<string, string> {
  const kept =
    /^(?:PATH|HOME|USER|LANG|LC_.*|TMPDIR|(?:https?|no|all)_proxy|NODE_EXTRA_CA_CERTS)$/i;
  const entries = Object.entries(process.env).filter(
    (entry): entry is [string, string] => kept.test(entry[0]) && entry[1] !== undefined,
  );
  // Hundreds of services share the compiled code through this cache.
  return { ...Object.fromEntries(entries), NODE_COMPILE_CACHE: compileCache };
}
