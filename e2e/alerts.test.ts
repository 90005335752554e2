import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { startSlowProxy } from "../server/testing/slow-proxy.ts";
import type { SlowProxy } from "../server/testing/slow-proxy.ts";
import { createDatabase, dialect } from "./src/database.ts";
import { checkRules, expectAlert, hasPrometheus, startPrometheus } from "./src/prometheus.ts";
import type { Alert, Prometheus, Series } from "./src/prometheus.ts";
import { openSecondWorkspace } from "./src/second-workspace.ts";
import { startServer } from "./src/server.ts";
import type { Server } from "./src/server.ts";
import { until } from "./src/until.ts";

const folder = join(import.meta.dirname, "../docs/operate");
const read = (name: string) => readFileSync(join(folder, name), "utf8");
const rules = read("alerts.yaml");
const runbooks = read("runbooks.md");
const alertNames = [...rules.matchAll(/- alert: (\w+)$/gm)].map(([, name = ""]) => name);
const dashboard = z
  .object({
    panels: z.array(z.object({ targets: z.array(z.object({ expr: z.string() })).default([]) })),
  })
  .parse(JSON.parse(read("grafana-dashboard.json")));
const dashboardQueries = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));

describe("the alerts and the dashboard", () => {
  test("contains only documented metrics", () => {
    const documented = new Set(
      [...read("metrics.md").matchAll(/^\| `(\w+)`/gm)].map(([, name]) => name),
    );
    const used = [rules, runbooks, ...dashboardQueries].flatMap((text) =>
      [...text.matchAll(/\btoolhost_\w+/g)].map(([name]) => name),
    );
    const unknown = used.filter(
      (name) =>
        !documented.has(name) && !documented.has(name.replace(/_(?:bucket|sum|count)$/, "")),
    );
    expect(unknown).toEqual([]);
    expect(dashboardQueries.length).toBeGreaterThan(30);
  });

  test("names only existing settings", () => {
    const existing = readFileSync(join(folder, "../../.env.example"), "utf8");
    const named = [...runbooks.matchAll(/`([A-Z][A-Z\d]*_[A-Z\d_]*[A-Z\d])(?:=\w+)?`/g)];
    const names = named.map(([, name = ""]) => name);
    expect(names.length).toBeGreaterThan(20);
    expect(names.filter((name) => !new RegExp(`^(?:# )?${name}=`, "m").test(existing))).toEqual([]);
  });

  test("links each alert to its section of the runbooks", () => {
    const headings = [...runbooks.matchAll(/^## (Toolhost\w+)$/gm)].map(([, heading]) => heading);
    expect(headings).toEqual(alertNames);
    const anchors = [...rules.matchAll(/runbook_url: runbooks\.md#(\w+)$/gm)].map(
      ([, anchor]) => anchor,
    );
    expect(anchors).toEqual(alertNames.map((name) => name.toLowerCase()));
  });

  test("gives each alert a severity, a summary and a description", () => {
    for (const pattern of [/severity: (?:critical|warning)$/gm, /summary: "/g, /description: "/g]) {
      expect(rules.match(pattern)).toHaveLength(alertNames.length);
    }
  });
});

/** The rules with short windows, so that a fault is found within seconds. Thresholds of an age are seconds too. */
const quickRules = rules
  .replaceAll(/\[\d+[mh]\]/g, "[20s]")
  .replaceAll(/^( +for:) .*$/gm, "$1 3s")
  .replaceAll(/(_age_max_seconds\)) > \d+/g, "$1 > 5");

// Prometheus watches for a while, so each change checks only the texts.
const isFull = process.env["TEST_ALL"] === "1";
if (isFull && !hasPrometheus) {
  process.stderr.write("Skipping the tests of alerts with Prometheus: it is not installed.\n");
}

const labels = (more: string) => `{job="toolhost",instance="a",${more}}`;
/** A histogram in which all values lie between two of its bounds. */
const histogram = (name: string, [from, to]: [string, string], more = ""): Series => ({
  [`toolhost_${name}_bucket${labels(`${more}le="${from}"`)}`]: "0x60",
  [`toolhost_${name}_bucket${labels(`${more}le="${to}"`)}`]: "0+100x60",
  [`toolhost_${name}_bucket${labels(`${more}le="+Inf"`)}`]: "0+100x60",
});
const metric = (name: string, values: string, more = ""): Series => ({
  [`toolhost_${name}${labels(more)}`]: values,
});
const endedRuns = (outcome: string, values: string) =>
  metric("tool_runs_total", values, `workspace="w",tool="add",outcome="${outcome}"`);
const requests = (route: string, status: number, values: string) =>
  metric("http_requests_total", values, `method="GET",route="${route}",status="${status}"`);

/** Half an hour of a fault, and the only alert that it may cause. */
const faults: [string, string, Series][] = [
  ["a node that is down", "ToolhostNotReady", { [`up${labels("")}`]: "0x60" }],
  [
    "a sandbox that is not ready",
    "ToolhostNotReady",
    metric("ready", "0x60", 'component="sandbox"'),
  ],
  [
    "server errors",
    "ToolhostServerErrors",
    { ...requests("/tools", 200, "0+90x60"), ...requests("/tools", 503, "0+10x60") },
  ],
  [
    "slow reads",
    "ToolhostRequestsSlow",
    histogram("http_request_duration_seconds", ["2.5", "5"], 'method="GET",route="/tools",'),
  ],
  [
    "a burst of lost runs",
    "ToolhostRunsLost",
    {
      ...metric("runs_total", "0x20 16x40", 'outcome="failed",code="sandbox_lost"'),
      ...metric("runs_total", "0+20x60", 'outcome="completed",code=""'),
    },
  ],
  [
    "a tool that fails",
    "ToolhostToolFailing",
    { ...endedRuns("completed", "0+8x60"), ...endedRuns("failed", "0+2x60") },
  ],
  [
    "an old queue",
    "ToolhostQueueOld",
    {
      ...metric("runs_queued", "200x60"),
      ...metric("runs_queued_age_max_seconds", "90x60"),
      ...metric("workspace_runs_queued", "120x60", 'workspace="w"'),
    },
  ],
  [
    "a workspace that fills the queue",
    "ToolhostWorkspaceFillsQueue",
    {
      ...metric("runs_queued", "130x60"),
      ...metric("runs_queued_age_max_seconds", "90x60"),
      ...metric("workspace_runs_queued", "120x60", 'workspace="w"'),
    },
  ],
  [
    "a node with all processes in use",
    "ToolhostSandboxFull",
    { ...metric("runs_running", "64x60"), ...metric("sandbox_processes_max", "64x60") },
  ],
  [
    "waits for a sandbox process",
    "ToolhostSandboxFull",
    histogram("run_sandbox_wait_seconds", ["1", "2.5"]),
  ],
  [
    "runs that leave their process unusable",
    "ToolhostSandboxProcessesKilled",
    {
      ...metric("sandbox_killed_total", "0+3x60", 'reason="run"'),
      ...metric("run_duration_seconds_count", "0+20x60"),
    },
  ],
  [
    "a slow database",
    "ToolhostDatabaseSlow",
    {
      ...histogram("database_statement_duration_seconds", ["0.1", "0.25"]),
      ...histogram("database_connection_wait_seconds", ["0.001", "0.0025"]),
    },
  ],
  [
    "a slow embedded database",
    "ToolhostDatabaseSlow",
    histogram("database_statement_duration_seconds", ["0.1", "0.25"]),
  ],
  [
    "waits for a connection",
    "ToolhostDatabaseConnectionsBusy",
    {
      ...histogram("database_statement_duration_seconds", ["0.1", "0.25"]),
      ...histogram("database_connection_wait_seconds", ["0.1", "0.25"]),
    },
  ],
  [
    "a blocked event loop",
    "ToolhostEventLoopBlocked",
    histogram("event_loop_delay_seconds", ["0.25", "0.5"]),
  ],
  ["builds that wait", "ToolhostBuildsWaiting", metric("builds_queued", "2x60", 'lane="packages"')],
  [
    "chat messages that wait",
    "ToolhostChatFailing",
    metric("chat_messages_age_max_seconds", "300x60"),
  ],
  ["new dead letters", "ToolhostChatFailing", metric("chat_dead_letters", "3x20 4x40")],
  [
    "events of webhooks that wait",
    "ToolhostWebhooksLate",
    metric("webhook_deliveries_overdue_max_seconds", "600x60"),
  ],
  [
    "a disk with little space",
    "ToolhostDiskNearlyFull",
    metric("data_disk_free_bytes", "1000000000x60"),
  ],
];

/** Half an hour of a service that works, or that no alert should report. */
const noFaults: [string, Series][] = [
  [
    "health checks that fail on one node",
    { ...requests("other", 503, "0+60x60"), ...requests("/tools", 200, "0+9x60") },
  ],
  [
    "runs that take long",
    histogram(
      "http_request_duration_seconds",
      ["10", "30"],
      'method="POST",route="/run/{toolName}",',
    ),
  ],
  [
    "runs of a tool that the service lost",
    {
      ...endedRuns("completed", "0+8x60"),
      ...endedRuns("lost", "0+2x60"),
      ...endedRuns("failed", "0x60"),
    },
  ],
  [
    "a tool that failed a few times",
    { ...endedRuns("completed", "0x60"), ...endedRuns("failed", "0+1x60") },
  ],
  [
    "recycled sandbox processes",
    {
      ...metric("sandbox_killed_total", "0+9x60", 'reason="recycled"'),
      ...metric("run_duration_seconds_count", "0+20x60"),
    },
  ],
  ["old dead letters", metric("chat_dead_letters", "3x60")],
];

describe.skipIf(!isFull || !hasPrometheus)("the rules", () => {
  test("passes promtool, as does each query of the dashboard", async () => {
    await checkRules(rules);
    const records = dashboardQueries.map((query, index) => ({
      record: "query",
      labels: { index: String(index) },
      expr: query.replaceAll("$__rate_interval", "5m").replaceAll("$job", "toolhost"),
    }));
    // JSON is YAML.
    await checkRules(JSON.stringify({ groups: [{ name: "dashboard", rules: records }] }));
  });

  test("fires each alert for some fault", () => {
    expect(new Set(faults.map(([, name]) => name))).toEqual(new Set(alertNames));
  });

  test.each(faults)("reports %s as %s", async (_, name, series) => {
    await expectAlert(rules, series, name);
  });

  test.each(noFaults)("reports nothing about %s", async (_, series) => {
    await expectAlert(rules, series, undefined);
  });
});

describe.skipIf(!isFull || !hasPrometheus)("with Prometheus", () => {
  let database: Awaited<ReturnType<typeof createDatabase>>;
  let proxy: SlowProxy | undefined;
  let server: Server;
  let prometheus: Prometheus;
  /** Whether the tests still send requests. */
  let isLoaded = true;
  let load: Promise<unknown>;

  beforeAll(async () => {
    const settings: Record<string, string> = {
      METRICS_TOP_N: "5",
      WORKSPACE_MAX_CONCURRENT_RUNS: "4",
    };
    database = await createDatabase();
    if (database !== undefined) {
      const url = new URL(database.url);
      proxy = await startSlowProxy({ host: url.hostname, port: Number(url.port || 5432) });
      url.host = `127.0.0.1:${proxy.port}`;
      settings["ENCRYPTION_KEY"] = randomBytes(32).toString("hex");
      settings["DATABASE_URL"] = url.href;
    }
    server = await startServer(settings);
    prometheus = await startPrometheus(server.baseUrl, quickRules);
    const tool = await server.makeTool("export default () => ({})");
    load = repeat(
      () => isLoaded,
      300,
      async () => {
        await server.run(tool);
        await server.call("GET", "/runs");
      },
    );
    await sleep(15_000);
  });
  afterAll(async () => {
    isLoaded = false;
    await load;
    await prometheus?.stop();
    await server?.stop();
    await proxy?.close();
    await database?.drop();
  });

  // They fire if the machine is busy, as it is while other tests run.
  const isAboutSpeed = ({ labels: { alertname = "" } }: Alert) =>
    ["ToolhostEventLoopBlocked", "ToolhostRequestsSlow"].includes(alertname);
  const current = async () => (await prometheus.alerts()).filter((alert) => !isAboutSpeed(alert));
  /** Alerts that fire, by name, with the tool or workspace that they name. */
  const firing = async () =>
    (await current())
      .filter(({ state }) => state === "firing")
      .map(({ labels: { alertname, tool, workspace } }) => ({ alertname, tool, workspace }));
  /** All that fires while a fault lasts, until some time after its own alert. */
  const firedMeanwhile = async (name: string) => {
    const seen = new Map<string, object>();
    let foundAt: number | undefined;
    await until(`${name} fires`, 60_000, async () => {
      for (const alert of await firing()) {
        seen.set(JSON.stringify(alert), alert);
        if (alert.alertname === name) foundAt ??= performance.now();
      }
      return foundAt !== undefined && performance.now() - foundAt > 12_000;
    });
    return [...seen.values()];
  };
  const untilQuiet = () =>
    until("no alert fires", 60_000, async () => (await current()).length === 0);

  test("reports nothing about a service that works", async () => {
    expect(await firing()).toEqual([]);
  });

  test("names a tool that fails in a fifth of its runs", async () => {
    const tool = await server.makeTool(
      "export default ({ n }) => { if (n % 5 === 0) throw new Error('no'); return {} }",
    );
    let n = 0;
    let isFailing = true;
    const runs = repeat(
      () => isFailing,
      100,
      () => server.run(tool, { n: n++ }),
    );
    try {
      expect(await firedMeanwhile("ToolhostToolFailing")).toEqual([
        { alertname: "ToolhostToolFailing", tool, workspace: server.workspaceId },
      ]);
    } finally {
      isFailing = false;
      await runs;
    }
    await untilQuiet();
  });

  test("names a workspace that fills the queue", async () => {
    const other = await openSecondWorkspace(server);
    const callOther = server.callWithKey(other.apiKey);
    const tool = await server.makeTool(
      "export default () => new Promise((done) => setTimeout(done, 500, {}))",
    );
    const send = () => server.call("POST", `/run/${tool}`, {}, { prefer: "respond-async" });
    const started: string[] = [];
    let isFlooding = true;
    const flood = repeat(
      () => isFlooding,
      0,
      async () => {
        // More runs are queued than the alert needs, until the test ends.
        if (started.length < 500)
          started.push(
            ...(await Promise.all(Array.from({ length: 20 }, send))).map(({ body }) =>
              String(body.runId),
            ),
          );
        else await sleep(100);
      },
    );
    const others = repeat(
      () => isFlooding,
      300,
      () => callOther("POST", `/run/${other.tool}`, {}),
    );
    try {
      expect(await firedMeanwhile("ToolhostWorkspaceFillsQueue")).toEqual([
        {
          alertname: "ToolhostWorkspaceFillsQueue",
          tool: undefined,
          workspace: server.workspaceId,
        },
      ]);
    } finally {
      isFlooding = false;
      await flood;
      await others;
      await Promise.all(started.map((runId) => server.call("POST", `/runs/${runId}/cancel`)));
    }
    await untilQuiet();
  });

  test.skipIf(dialect !== "postgres")("reports a database 200 ms away", async () => {
    if (proxy === undefined) throw new Error("There is no proxy");
    proxy.roundTripMs = 200;
    const tool = await server.makeTool("export default () => ({ n: 1 })");
    let isSlow = true;
    const clients = Array.from({ length: 6 }, () =>
      repeat(
        () => isSlow,
        100,
        () => server.run(tool),
      ),
    );
    try {
      expect(await firedMeanwhile("ToolhostDatabaseSlow")).toEqual([
        { alertname: "ToolhostDatabaseSlow", tool: undefined, workspace: undefined },
      ]);
    } finally {
      proxy.roundTripMs = 0;
      isSlow = false;
      await Promise.all(clients);
    }
    await untilQuiet();
  });
});

/** Does something again and again with pauses, one at a time. */
async function repeat(
  goesOn: () => boolean,
  pauseMs: number,
  work: () => Promise<unknown>,
): Promise<void> {
  while (goesOn()) {
    await work();
    await sleep(pauseMs);
  }
}
