import { mkdirSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { Sandbox } from "@toolhost/sandbox";
import { startTasks, leaveInOrder } from "../../server/src/background-tasks.ts";
import { readConfig } from "../../server/src/config.ts";
import { authenticateKey } from "../../server/src/core/identity/index.ts";
import { newId } from "../../server/src/lib/ids.ts";
import { runTool, stopRuns, subscribe } from "../../server/src/core/runs/index.ts";
import { createLog } from "../../server/src/lib/log.ts";
import { createModules } from "../../server/src/modules.ts";
import { createMeter, noAccessLog, noTracing } from "../../server/src/telemetry/index.ts";
import { watchReadiness } from "../../server/src/readiness.ts";

/**
 * A node of the product without its port, its sandbox processes and its build processes: it sends the database what a whole node
 * sends. A hundred of them fit into one process.
 */
export type LightNode = {
  /** Runs a tool on this node, or on another one if it is queued, and resolves at its end. */
  run(tool: string): Promise<void>;
  /** Sends all nodes a message that none of them needs. */
  notifyAll(): Promise<void>;
  stop(): Promise<void>;
};

type Options = {
  dataDir: string;
  settings: Record<string, string>;
  apiKey: string;
  /** How long each run executes. */
  runMs: number;
};

const maxWaitMs = 55_000;

/** Starts a node with its own identity and connections, and with all of its periodic tasks. */
export async function startLightNode({
  dataDir,
  settings,
  apiKey,
  runMs,
}: Options): Promise<LightNode> {
  mkdirSync(dataDir, { recursive: true });
  const config = readConfig({ ...settings, PORT: "3000", DATA_DIR: dataDir });
  const log = createLog(config.LOG_LEVEL);
  const observability = { log, tracing: noTracing, meter: createMeter(), accessLog: noAccessLog };
  const modules = await createModules(config, observability, async () => createSleeper(runMs));
  const context = {
    ...modules.context,
    // Build processes send the database nothing.
    builder: { ...modules.context.builder, warmUp: () => undefined },
  };
  const signals = subscribe(context);
  const readiness = watchReadiness(context);
  const tasks = [readiness, ...startTasks(context, () => undefined)];
  return {
    run: async (toolName) => {
      const caller = await authenticateKey(context, apiKey, { requestId: newId(), ip: null });
      const request = { toolName, input: { a: 1, b: 1 }, waitMs: maxWaitMs };
      const { status } = await runTool(context, caller, request);
      if (status !== "completed") throw new Error(`A run is ${status}`);
    },
    notifyAll: () => context.db.notify(JSON.stringify({ kind: "ended", runId: "none" })),
    stop: async () => {
      await stopRuns(context, 0);
      await context.webhooks.worker.stop(0);
      await Promise.all(tasks.map((task) => task.stop()));
      await signals?.close();
      context.validation.stop();
      await context.builder.stop();
      await leaveInOrder(context);
      await context.db.close();
    },
  };
}

function readyStatus() {
  return { ready: true, layer: "process" } as const;
}

/** A sandbox whose tools wait and then return the sum that the benchmark expects. */
function createSleeper(runMs: number): Sandbox {
  let leased = 0;
  return {
    status: readyStatus,
    check: async () => readyStatus(),
    execute: async ({ onStart }) => {
      leased += 1;
      onStart?.();
      await sleep(runMs);
      leased -= 1;
      const usage = { logs: [], logsTruncated: false, cpuMs: 1, durationMs: runMs, waitMs: 0 };
      const rest = { reused: true, egress: [], secretUse: [] };
      return { ...usage, ...rest, status: "completed", output: { sum: 2 } };
    },
    stats: () => ({
      processes: leased,
      leased,
      waiting: 0,
      started: 0,
      failedStarts: 0,
      killed: 0,
      unusable: 0,
    }),
    stop: async () => undefined,
  };
}
