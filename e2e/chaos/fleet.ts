import { randomBytes } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { readCodeStarts } from "./code-starts.ts";
import type { CodeStart } from "./code-starts.ts";
import { findQuietPort } from "../src/postgres-server.ts";
import { descendantsOf, isSandboxProcess } from "../src/processes.ts";
import type { ProcessMark } from "../src/processes.ts";
import { endService, spawnService, whenReady } from "../src/service-process.ts";
import type { Exit, ServiceProcess } from "../src/service-process.ts";

/** One node, with the same port and data folder after each restart. */
export type FleetNode = {
  readonly name: string;
  readonly baseUrl: string;
  /** Starts it, and retries like a supervisor if it fails. */
  start(): Promise<void>;
  signal(signal: NodeJS.Signals): void;
  /** Sends a terminating signal and waits for the exit. */
  end(signal: NodeJS.Signals): Promise<Exit>;
  /** The processes that execute the code of its runs. */
  sandboxProcesses(): ProcessMark[];
  /** Runs whose code started since its last restart. */
  startedRuns(): CodeStart[];
};

/** Several nodes on one database. */
export type Fleet = {
  /** The base URL of the service for all nodes. The first node listens there. */
  readonly publicUrl: string;
  readonly nodes: readonly FleetNode[];
  /** Every run that any node passed to its sandbox, including before restarts. */
  codeStarts(): CodeStart[];
  /** Writes the output of each node to files, one per restart. */
  saveLogs(folder: string): void;
  stop(): Promise<void>;
};

type Life = {
  process: ServiceProcess;
  exit: Exit | undefined;
  /** Its state. A node that exits while it is ready has crashed. */
  state: "starting" | "ready" | "ending";
};

const startLimitMs = 90_000;
const ownClockShiftMs = 7 * 60_000;

type Plan = {
  count: number;
  workDir: string;
  databaseUrl: string;
  settings?: Record<string, string>;
  /** Whether the last node's clock is minutes ahead. */
  isOneClockWrong?: boolean;
  /** Called with the last output when a node crashes. The node is restarted. */
  onCrash: (name: string, printed: string) => void;
};

/** Starts nodes one after another. Their addresses stay the same until `stop`. */
export async function startFleet(plan: Plan): Promise<Fleet> {
  const nodes: (FleetNode & { lives: Life[] })[] = [];
  const stop = async () => {
    await Promise.all(nodes.map((node) => node.end("SIGKILL")));
  };
  const key = randomBytes(32).toString("hex");
  let publicUrl = "";
  try {
    for (let index = 0; index < plan.count; index++) {
      const port = await findQuietPort();
      if (index === 0) publicUrl = `http://localhost:${port}`;
      const isSkewed = plan.isOneClockWrong === true && index === plan.count - 1;
      const node = createNode(`node-${index + 1}`, port, plan, {
        DATABASE_URL: plan.databaseUrl,
        ENCRYPTION_KEY: key,
        BASE_URL: publicUrl,
        LOG_LEVEL: "debug",
        SANDBOX_IDLE_PROCESSES: "1",
        SHUTDOWN_GRACE_MS: "3000",
        AUDIT_SEAL_INTERVAL_MS: "300",
        RATE_LIMIT_REQUESTS_PER_MINUTE: "0",
        RATE_LIMIT_RUNS_PER_MINUTE: "0",
        RATE_LIMIT_USER_REQUESTS_PER_MINUTE: "0",
        RATE_LIMIT_USER_RUNS_PER_MINUTE: "0",
        RATE_LIMIT_WORKSPACE_REQUESTS_PER_MINUTE: "0",
        RATE_LIMIT_WORKSPACE_RUNS_PER_MINUTE: "0",
        RATE_LIMIT_ANONYMOUS_REQUESTS_PER_MINUTE: "0",
        ...plan.settings,
        ...(isSkewed ? skewedClock() : {}),
      });
      nodes.push(node);
      await node.start();
    }
  } catch (error) {
    await stop();
    throw error;
  }
  const lives = () => nodes.flatMap((node) => node.lives.map((life) => ({ node, life })));
  return {
    publicUrl,
    nodes,
    codeStarts: () => lives().flatMap(({ node, life }) => codeStartsOf(node.name, life)),
    saveLogs: (folder) => {
      mkdirSync(folder, { recursive: true });
      for (const { node, life } of lives()) {
        const { stdout, stderr } = life.exit ?? life.process.printed();
        const file = `${node.name}-${node.lives.indexOf(life) + 1}.log`;
        writeFileSync(join(folder, file), stdout + stderr);
      }
    },
    stop,
  };
}

function createNode(
  name: string,
  port: number,
  plan: Plan,
  settings: Record<string, string>,
): FleetNode & { lives: Life[] } {
  const lives: Life[] = [];
  const end = async (signal: NodeJS.Signals) => {
    const life = lives.at(-1);
    if (life === undefined) throw new Error(`${name} was never started`);
    life.state = "ending";
    return life.exit ?? endService(life.process, signal);
  };
  const launch = (): Life => {
    const all = { ...settings, PORT: String(port), DATA_DIR: join(plan.workDir, name) };
    const life: Life = {
      process: spawnService(plan.workDir, all),
      exit: undefined,
      state: "starting",
    };
    void life.process.exited.then((exit) => {
      life.exit = exit;
      if (life.state !== "ready") return;
      plan.onCrash(name, (exit.stdout + exit.stderr).slice(-2_000));
      void start();
    });
    lives.push(life);
    return life;
  };
  let starting: Promise<void> | undefined;
  const start = () => {
    // A failure of the first start is permanent.
    const limitMs = lives.length === 0 ? 0 : startLimitMs;
    starting ??= startUntilReady(launch, limitMs).finally(() => (starting = undefined));
    return starting;
  };
  return {
    name,
    baseUrl: `http://127.0.0.1:${port}`,
    lives,
    start,
    signal: (signal) => lives.at(-1)?.process.signal(signal),
    end,
    sandboxProcesses: () => {
      const pid = lives.at(-1)?.process.pid;
      return pid === undefined ? [] : descendantsOf(pid).filter(isSandboxProcess);
    },
    startedRuns: () => lives.slice(-1).flatMap((life) => codeStartsOf(name, life)),
  };
}

/** Retries, because a start may fail while the database is down. */
async function startUntilReady(launch: () => Life, limitMs: number): Promise<void> {
  const deadline = performance.now() + limitMs;
  for (;;) {
    const life = launch();
    try {
      await whenReady(life.process);
      life.state = "ready";
      return;
    } catch (error) {
      await endService(life.process, "SIGKILL");
      if (performance.now() > deadline) throw error;
      await sleep(500);
    }
  }
}

function codeStartsOf(node: string, life: Life): CodeStart[] {
  return readCodeStarts(node, (life.exit ?? life.process.printed()).stderr);
}

function skewedClock(): Record<string, string> {
  return {
    NODE_OPTIONS: `--import ${import.meta.resolve("./skewed-clock.ts")}`,
    CLOCK_SHIFT_MS: String(ownClockShiftMs),
  };
}
