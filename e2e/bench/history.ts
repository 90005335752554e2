import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { exitOnSignals, makeTemporaryFolder } from "./cleanup.ts";
import { historyCalls } from "./history-calls.ts";
import { makeDatabase } from "./history-database.ts";
import { openPostgresHistory, openSqliteHistory } from "./history-rows.ts";
import type { History } from "./history-rows.ts";
import { benchTools } from "./history-tools.ts";
import { openClient } from "./http-client.ts";
import { field, textField } from "./json.ts";
import { quantile } from "./load.ts";
import { describeMachine } from "./machine.ts";
import { parseOptions, wholeNumber } from "./options.ts";
import { fixed, table } from "./table.ts";
import { startService } from "./service.ts";
import type { Service } from "./service.ts";

exitOnSignals();

const sizes = [10_000, 1_000_000, 10_000_000];
/** The age of the oldest row. */
const pastMs = 80 * 86_400_000;
const warmUps = 5;
const countedCalls = 20;

/** The duration of a call at one size: the median and the 99th percentile, and the pages that it reads, if they are counted. */
type Figure = { p50Ms: number; p99Ms: number; pages: number | undefined };

const { values: options } = parseOptions({
  options: {
    rows: { type: "string", default: "1000000" },
    database: { type: "string" },
    samples: { type: "string", default: "100" },
    tools: { type: "string" },
    postgres: { type: "boolean", default: false },
  },
});
const rows = wholeNumber("rows", options.rows);
const samples = wholeNumber("samples", options.samples);
const folder = makeTemporaryFolder("bench-history");
const database = options.tools === undefined ? await makeDatabase(options.database) : undefined;
try {
  if (options.tools === undefined) await bench();
  else {
    const tools = wholeNumber("tools", options.tools);
    await benchTools(folder, tools, { isOnPostgres: options.postgres });
  }
} finally {
  await database?.drop();
}

/** Adds rows up to each size and measures at each. */
async function bench(): Promise<void> {
  const { cores, processor, node, loadAverage, diskSyncMs } = describeMachine(folder);
  const dataDir = join(folder, "data");
  mkdirSync(dataDir);
  // The service reads its database from here.
  process.env["DATABASE_URL"] = database?.url ?? "";
  const service = await startService(dataDir);
  const found = new Map<string, Figure[]>();
  const measured = [...sizes.filter((size) => size < rows), rows];
  try {
    const history = await openHistory(service, dataDir);
    try {
      for (const size of measured) {
        print(`Adding rows up to ${size}`);
        await history.fillTo(size);
        print(`Measuring at ${size} rows`);
        await measure(service, history, size, found);
      }
    } finally {
      await history.close();
    }
  } finally {
    await service.stop();
  }
  process.stdout.write(
    [
      `Machine: ${cores} cores (${processor}), Node ${node}, database ${service.database}`,
      `Load average before: ${fixed(loadAverage)}. Disk sync: ${fixed(diskSyncMs)} ms.`,
      `Number of runs; their audit events are in segments, as the service stores them. Each call ${samples} times, in turn: p50 in ms, and its ratio to the smallest size, divided by the ratio of the first call, which reads none of the rows.`,
      "",
      ...table(report(found, measured)),
      "",
    ].join("\n"),
  );
}

async function openHistory(service: Service, dataDir: string): Promise<History> {
  const client = openClient(service.port);
  try {
    const headers = { authorization: `Bearer ${service.apiKey}` };
    const me: unknown = JSON.parse((await client.send("GET", "/api/v1/me", headers)).text);
    const shape = {
      workspaceId: textField(field(me, "workspace"), "id"),
      userId: textField(field(me, "user"), "id"),
      startMs: Date.now() - pastMs,
      stepMs: Math.floor(pastMs / rows),
    };
    return database === undefined
      ? openSqliteHistory(join(dataDir, "toolhost.db"), shape)
      : await openPostgresHistory(database.url, shape);
  } finally {
    client.close();
  }
}

async function measure(
  service: Service,
  history: History,
  size: number,
  found: Map<string, Figure[]>,
): Promise<void> {
  const client = openClient(service.port);
  try {
    const calls = await historyCalls(client, service.apiKey, history, size);
    const times = new Map<string, number[]>(calls.map(({ name }) => [name, []]));
    // All calls in turn, so that changes on the machine affect all of them equally.
    for (let round = -warmUps; round < samples; round++) {
      for (const { name, call } of calls) {
        const startedAt = performance.now();
        await call();
        if (round >= 0) times.get(name)?.push(performance.now() - startedAt);
      }
    }
    for (const { name, call } of calls) {
      const taken = times.get(name) ?? [];
      const pages = await countPagesOf(history, call);
      const figure = { p50Ms: quantile(taken, 0.5), p99Ms: quantile(taken, 0.99), pages };
      found.set(name, [...(found.get(name) ?? []), figure]);
    }
  } finally {
    client.close();
  }
}

/** The pages that the database reads for a call, in memory or not, which do not depend on other work of the machine. */
async function countPagesOf(
  history: History,
  call: () => Promise<unknown>,
): Promise<number | undefined> {
  const before = await history.countPages();
  for (let count = 0; count < countedCalls; count++) await call();
  const after = await history.countPages();
  return before === undefined || after === undefined ? undefined : (after - before) / countedCalls;
}

/** A row for each call. Ratios are relative to the first call, which reads none of the rows. */
function report(found: ReadonlyMap<string, readonly Figure[]>, measured: readonly number[]) {
  const last = measured.length - 1;
  const [control = []] = found.values();
  const growth = (figures: readonly Figure[], index: number) =>
    (figures[index]?.p50Ms ?? Number.NaN) / (figures[0]?.p50Ms ?? Number.NaN);
  const ratios = measured.slice(1).map((size) => `ratio at ${size}`);
  const hasPages = [...found.values()].some((figures) => figures[0]?.pages !== undefined);
  const pages = (figures: readonly Figure[]) =>
    hasPages ? figures.map((figure) => fixed(figure.pages ?? Number.NaN)) : [];
  const pageColumns = hasPages ? measured.map((size) => `pages at ${size}`) : [];
  return [
    ["call", ...measured.map(String), ...ratios, `p99 at ${measured[last]}`, ...pageColumns],
    ...[...found].map(([name, figures]) => [
      name,
      ...figures.map(({ p50Ms }) => fixed(p50Ms)),
      ...ratios.map((_, index) => fixed(growth(figures, index + 1) / growth(control, index + 1))),
      fixed(figures[last]?.p99Ms ?? Number.NaN),
      ...pages(figures),
    ]),
  ];
}

function print(words: string): void {
  process.stderr.write(`${words}\n`);
}
