import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { until } from "../src/until.ts";
import { postgresStore, sqliteStore } from "./cost-stores.ts";
import type { CostStore, StatementCount } from "./cost-stores.ts";
import { openClient } from "./http-client.ts";
import { numberField } from "./json.ts";
import { median } from "./load.ts";
import { runCall, saveTool, startCountedService } from "./service.ts";
import type { CountedService } from "./service.ts";
import { toolCode } from "./settings.ts";

/** What a run costs, in figures that do not depend on the clock or on other load of the machine. */
export type RunCosts = {
  /** The statements that each run executes, with the bytes that each writes to the log on PostgreSQL. */
  statements: { text: string; perRun: number; logBytes: number }[];
  /** Syncs of the database file that the service waits for. PostgreSQL syncs by itself. */
  syncs: number;
  /** Writes to connections to sandbox processes. */
  sandboxWrites: number;
  /** Read and write calls to the kernel. */
  systemReads: number;
  systemWrites: number;
  /** Bytes that the service's JavaScript allocates. */
  allocatedBytes: number;
  /** Bytes of the database's log of changes, including those of sealing the audit log. */
  logBytes: number;
  /** Bytes that stay in the database's tables and indexes. */
  storedBytes: number;
};

export type Observed = {
  service: CountedService;
  store: CostStore;
  /** Runs a tool that adds two numbers. */
  call: () => Promise<number>;
  /** Resolves when all events are sealed. */
  settle: () => Promise<void>;
};

/** Starts a service on its own database, calls `use`, and removes everything. */
export async function withObserved<T>(
  dialect: "sqlite" | "postgres",
  use: (observed: Observed) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "toolhost-costs-"));
  const store = dialect === "sqlite" ? sqliteStore(folder) : await postgresStore();
  try {
    const service = await startCountedService(folder, { ...store.settings, LOG_LEVEL: "error" });
    const client = openClient(service.port);
    try {
      await store.open(service);
      const draft = { title: "Sum", code: toolCode, isolation: "reuse" };
      const tool = await saveTool(client, service.apiKey, draft);
      const call = runCall(client, service.apiKey, tool);
      const settle = async () => {
        await until("all events are sealed", 30_000, async () =>
          (await store.countUnsealed()) === 0 ? true : undefined,
        );
      };
      return await use({ service, store, call, settle });
    } finally {
      client.close();
      await service.stop();
    }
  } finally {
    await store.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

const warmUpRuns = 400;
const batches = 5;
/** SQLite copies the log into the database after 1,000 pages, which a batch must not reach. */
const batchRuns = 40;
/** Enough that whole pages distort the bytes of a run by a few percent only. */
const storedRuns = 600;
const storedConcurrency = 8;

/**
 * Measures the costs of a run, one at a time. Uses the median of several batches, because a run that takes more than 100 ms on a
 * busy machine is written twice.
 */
export async function measureCosts({ service, store, call, settle }: Observed): Promise<RunCosts> {
  for (let run = 0; run < warmUpRuns; run++) await call();
  await settle();
  const statementsBefore = await store.readStatements();
  const found: Record<string, number>[] = [];
  for (let batch = 0; batch < batches; batch++) {
    const logBytes = await store.countLog();
    const before = await readCounters(service);
    for (let run = 0; run < batchRuns; run++) await call();
    const after = await readCounters(service);
    await settle();
    const difference = Object.entries(after.numbers).map(
      ([name, value]) => [name, (value - (before.numbers[name] ?? 0)) / batchRuns] as const,
    );
    found.push({ ...Object.fromEntries(difference), logBytes: (await logBytes()) / batchRuns });
  }
  const statements = await store.readStatements();
  const middle = (name: string) => median(found.map((each) => each[name] ?? Number.NaN));
  return {
    statements: ofEachRun(statementsBefore, statements),
    syncs: Math.round(middle("syncs")),
    sandboxWrites: Math.round(middle("sandboxWrites")),
    systemReads: middle("syscr"),
    systemWrites: middle("syscw"),
    // Periodic tasks and the compiler allocate in some of the batches.
    allocatedBytes: Math.min(...found.map((each) => each["allocatedBytes"] ?? Number.NaN)),
    logBytes: middle("logBytes"),
    storedBytes: await measureStored({ store, call, settle }),
  };
}

async function measureStored({ store, call, settle }: Omit<Observed, "service">): Promise<number> {
  const before = await store.size();
  let left = storedRuns;
  const loop = async () => {
    while (left-- > 0) await call();
  };
  await Promise.all(Array.from({ length: storedConcurrency }, loop));
  await settle();
  return ((await store.size()) - before) / storedRuns;
}

/** The statements of at least every second run. All others belong to periodic tasks, or to runs of more than 100 ms. */
function ofEachRun(
  before: ReadonlyMap<string, StatementCount>,
  after: ReadonlyMap<string, StatementCount>,
): RunCosts["statements"] {
  const runs = batches * batchRuns;
  return [...after]
    .map(([text, { calls, logBytes }]) => ({
      text: text.replaceAll(/\s+/g, " ").trim(),
      perRun: Math.round(((calls - (before.get(text)?.calls ?? 0)) / runs) * 10) / 10,
      logBytes: (logBytes - (before.get(text)?.logBytes ?? 0)) / runs,
    }))
    .filter(({ perRun }) => perRun >= 0.5);
}

async function readCounters(service: CountedService): Promise<{ numbers: Record<string, number> }> {
  const counted = await service.ask("counters");
  const names = ["allocatedBytes", "syncs", "sandboxWrites"];
  const lines = readFileSync(`/proc/${service.pid}/io`, "utf8").trim().split("\n");
  const io = lines.map((line) => line.split(": ")).map(([name, value]) => [name, Number(value)]);
  return {
    numbers: {
      ...Object.fromEntries(names.map((name) => [name, numberField(counted, name)])),
      ...(Object.fromEntries(io) as Record<string, number>),
    },
  };
}
