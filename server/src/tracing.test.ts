import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { recoverOrphanedRuns } from "#core/runs";
import { addLinked, connectTeam } from "#testing/chat";
import { unusedModel } from "#testing/fake-model";
import { startFakeSlack } from "#testing/fake-slack";
import type { FakeSlack, FakeTeam } from "#testing/fake-slack";
import { startCollector } from "#testing/otlp-collector";
import type { OtlpCollector } from "#testing/otlp-collector";
import type { CollectedSpan } from "#testing/otlp-traces";
import { startTestService } from "#testing/service";
import type { TestService } from "#testing/service";
import { startService } from "./start.ts";

let collector: OtlpCollector;
let slack: FakeSlack;
let test: TestService;
let upstream: ReturnType<typeof createServer>;
let upstreamHost: string;
let listedHost: string;
/** The trace context that each request to the upstream carried. */
const carried: (string | undefined)[] = [];

const secret = "hunter2-s3cr3t";
const routeOfRun = "POST /api/v1/run/{toolName}";

beforeAll(async () => {
  collector = await startCollector();
  slack = await startFakeSlack();
  upstream = createServer((request, response) => {
    carried.push(request.headersDistinct["traceparent"]?.join());
    response.writeHead(request.url?.startsWith("/404") ? 404 : 200).end("{}");
  });
  await new Promise<void>((resolve) => upstream.listen(0, "127.0.0.1", resolve));
  const { port } = upstream.address() as AddressInfo;
  upstreamHost = `127.0.0.1:${port}`;
  listedHost = `localhost:${port}`;
  test = await startTestService({
    ...slack.settings,
    ...unusedModel,
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
    OTEL_EXPORTER_OTLP_HEADERS: "x-collector-key=abc%20def",
    OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=test",
    EGRESS_PRIVATE_HOSTS: `${upstreamHost},${listedHost}`,
    TRACE_PROPAGATION_HOSTS: listedHost,
    TRACE_TRUSTED_CALLERS: "10.1.0.0/16",
    TRUSTED_PROXIES: "127.0.0.1",
    WORKSPACE_MAX_CONCURRENT_RUNS: "2",
    ENCRYPTION_KEY: "5f".repeat(32),
  });
});
afterAll(async () => {
  await test.stop();
  await Promise.all([slack.close(), collector.close()]);
  upstream.close();
});

const trusted = { "x-forwarded-for": "10.1.2.3" };
const callerSpan = { traceId: "0af7651916cd43dd8448eb211c80319c", spanId: "b7ad6b7169203331" };

function newTraceparent(flags = "01") {
  const traceId = randomUUID().replaceAll("-", "");
  return { traceId, traceparent: `00-${traceId}-${callerSpan.spanId}-${flags}` };
}

const run = async (name: string, input: unknown, headers?: Record<string, string>) =>
  (await test.call("POST", `/run/${name}`, input, headers)).body;

/** The spans of the trace of a run, once the span of its request and those of these names are there. */
async function traceOf(runId: string, ...names: string[]): Promise<CollectedSpan[]> {
  const { traceId } = await collector.find(
    ({ attributes }) => attributes["gen_ai.tool.call.id"] === runId,
  );
  return collector.trace(traceId, names);
}

/** A span as a line: its name below those of its ancestors. */
function pathOf(span: CollectedSpan, spans: readonly CollectedSpan[]): string {
  const parent = spans.find(({ spanId }) => spanId === span.parentSpanId);
  return parent === undefined ? span.name : `${pathOf(parent, spans)} > ${span.name}`;
}

const paths = (spans: readonly CollectedSpan[]) => spans.map((span) => pathOf(span, spans));

function named(spans: readonly CollectedSpan[], name: string): CollectedSpan {
  const found = spans.filter((span) => span.name === name);
  if (found.length !== 1 || found[0] === undefined) {
    throw new Error(`${found.length} spans are named ${name}: ${paths(spans).join(", ")}`);
  }
  return found[0];
}

describe("a run over REST", () => {
  it("is one trace from the request to the end of the run", async () => {
    // A shorter run is written once, with its end.
    const name = await test.makeTool(
      "export default () => new Promise((end) => setTimeout(() => end({ done: true }), 300));",
    );
    const { runId } = await run(name, {});
    const spans = await traceOf(runId, routeOfRun, "sandbox execute");
    const [request, execution] = [named(spans, routeOfRun), named(spans, `execute_tool ${name}`)];
    const below = `${routeOfRun} > execute_tool ${name}`;
    expect(paths(spans)).toEqual(
      expect.arrayContaining([
        routeOfRun,
        below,
        `${below} > sandbox lease`,
        `${below} > sandbox execute`,
        expect.stringMatching(/^POST [^>]+ > select [\w ]*\btools\b/),
        expect.stringMatching(/^POST [^>]+ > insert idempotency_records insert runs$/),
        expect.stringMatching(/ > execute_tool [^>]+ > update runs insert unsealed_run_events/),
      ]),
    );
    expect(request).toMatchObject({ kind: "server", hasFailed: false, parentSpanId: undefined });
    expect(request.attributes).toEqual({
      "http.request.method": "POST",
      "http.route": "/api/v1/run/{toolName}",
      "http.response.status_code": 200,
      "url.scheme": "http",
      "toolhost.request.id": expect.any(String),
    });
    expect(execution).toMatchObject({ kind: "internal", hasFailed: false });
    expect(execution.attributes).toEqual({
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": name,
      "gen_ai.tool.call.id": runId,
      "toolhost.tool.version": 1,
      "toolhost.workspace.id": test.workspaceId,
      "toolhost.run.via": "rest",
      "toolhost.run.attempt": 1,
      "toolhost.run.status": "completed",
    });
    const statement = spans.find((span) => span.name.startsWith("insert "));
    expect(statement).toMatchObject({ kind: "client" });
    expect(statement?.attributes).toEqual({
      "db.system.name": test.service.context.db.dialect === "sqlite" ? "sqlite" : "postgresql",
      "db.query.summary": "insert idempotency_records insert runs",
    });
    for (const span of spans) expect(span.endedAt).toBeGreaterThanOrEqual(span.startedAt);
  });

  it("names the service and the version of the conventions", async () => {
    const span = await collector.find(({ name }) => name.startsWith("execute_tool"));
    expect(span.schemaUrl).toMatch(/^https:\/\/opentelemetry\.io\/schemas\/1\.\d+\.0$/);
    expect(span.resource).toMatchObject({
      "service.name": "toolhost",
      "service.instance.id": expect.stringMatching(/^[\da-f-]{36}$/),
      "deployment.environment.name": "test",
      "telemetry.sdk.language": "nodejs",
    });
    expect(collector.headers[0]).toMatchObject({
      "x-collector-key": "abc def",
      "content-type": "application/x-protobuf",
    });
  });

  it("continues after a response that does not wait for it", async () => {
    const name = await test.makeTool("export default () => ({})");
    const { runId } = await run(name, {}, { prefer: "respond-async" });
    const spans = await traceOf(runId, routeOfRun);
    expect(paths(spans)).toContain(`${routeOfRun} > execute_tool ${name}`);
  });

  it("has failed with the error's code, and says nothing about the error", async () => {
    const name = await test.makeTool(`export default () => { throw new Error("${secret}") }`);
    const { runId, status } = await run(name, {});
    expect(status).toBe("failed");
    const spans = await traceOf(runId, routeOfRun);
    const span = named(spans, `execute_tool ${name}`);
    expect(span).toMatchObject({ hasFailed: true, statusMessage: "" });
    expect(span.attributes).toMatchObject({
      "error.type": "tool_error",
      "toolhost.run.status": "failed",
    });
    expect(named(spans, routeOfRun)).toMatchObject({ hasFailed: false });
  });

  it("has failed if its node was lost", async () => {
    const { context } = test.service;
    const name = await test.makeTool(
      "export default () => new Promise((resolve) => setTimeout(resolve, 1_000, {}))",
    );
    const { runId } = await run(name, {}, { prefer: "wait=0" });
    expect(await recoverOrphanedRuns(context, ["another node"])).toBe(1);
    const span = await collector.find(
      ({ attributes }) => attributes["gen_ai.tool.call.id"] === runId,
    );
    expect(span.hasFailed).toBe(true);
    const lost = context.db.dialect === "sqlite" ? "interrupted" : "sandbox_lost";
    expect(span.attributes["error.type"]).toBe(lost);
    expect(paths(await traceOf(runId, routeOfRun))).toContain(
      `${routeOfRun} > execute_tool ${name}`,
    );
    await context.runs.activeRuns.get(runId)?.ended;
  });

  it("is a parent of the runs of the tools that it runs", async () => {
    const child = await test.makeTool("export default ({ n }) => ({ n })");
    const name = await test.makeTool(
      `export default async (input, ctx) => ({
        results: [await ctx.tools.run("${child}", { n: 1 }), await ctx.tools.run("${child}", { n: 2 })],
      })`,
    );
    const { runId, status } = await run(name, {});
    expect(status).toBe("completed");
    const spans = await traceOf(runId, routeOfRun);
    const below = `${routeOfRun} > execute_tool ${name} > sandbox execute > execute_tool ${child}`;
    expect(paths(spans).filter((path) => path === below)).toHaveLength(2);
    expect(paths(spans).filter((path) => path === `${below} > sandbox execute`)).toHaveLength(2);
  });
});

describe("a request of a tool", () => {
  it("is a span with host and status, without path and query", async () => {
    const name = await test.makeTool(
      `export default async ({ urls }) => {
        for (const url of urls) await fetch(url).catch(() => undefined);
        return {};
      }`,
      { allowedHosts: [`http://${upstreamHost}`, "http://nowhere.invalid"] },
    );
    const base = `http://${upstreamHost}`;
    const urls = [
      `${base}/ok/${secret}?key=${secret}`,
      `${base}/404`,
      "http://nowhere.invalid/",
      `http://${secret}.example.com/`,
    ];
    const { runId } = await run(name, { urls });
    const spans = (await traceOf(runId, routeOfRun)).filter((span) => span.name === "GET");
    const [host, port] = upstreamHost.split(":");
    const attributes = {
      "http.request.method": "GET",
      "server.address": host,
      "server.port": Number(port),
    };
    expect(spans.map((span) => [span.kind, span.hasFailed, span.attributes])).toEqual([
      ["client", false, { ...attributes, "http.response.status_code": 200 }],
      ["client", true, { ...attributes, "http.response.status_code": 404, "error.type": "404" }],
      [
        "client",
        true,
        {
          ...attributes,
          "server.address": "nowhere.invalid",
          "server.port": 80,
          "error.type": "upstream_error",
        },
      ],
    ]);
    const all = await traceOf(runId, routeOfRun);
    for (const span of spans) {
      expect(pathOf(span, all)).toBe(
        `${routeOfRun} > execute_tool ${name} > sandbox execute > GET`,
      );
    }
  });

  it("passes the trace on only to hosts that the operator lists", async () => {
    const name = await test.makeTool(
      `export default async ({ urls }) => {
        for (const url of urls) await fetch(url, { headers: { traceparent: "forged" } });
        return {};
      }`,
      { allowedHosts: [`http://${upstreamHost}`, `http://${listedHost}`] },
    );
    carried.length = 0;
    const { runId } = await run(name, {
      urls: [`http://${upstreamHost}/`, `http://${listedHost}/`],
    });
    const spans = await traceOf(runId, routeOfRun);
    const listed = spans.find((span) => span.attributes["server.address"] === "localhost");
    expect(carried).toEqual(["forged", `00-${listed?.traceId}-${listed?.spanId}-01`]);
  });
});

describe("the trace context of a caller", () => {
  let name: string;
  beforeAll(async () => {
    name = await test.makeTool("export default () => ({})");
  });

  it("is continued for a trusted caller, with its trace state", async () => {
    const { traceId, traceparent } = newTraceparent();
    const headers = { ...trusted, traceparent, tracestate: "vendor=1" };
    const { runId } = await run(name, {}, headers);
    const spans = await traceOf(runId, routeOfRun);
    expect(named(spans, routeOfRun)).toMatchObject({
      traceId,
      parentSpanId: callerSpan.spanId,
      tracestate: "vendor=1",
      links: [],
    });
  });

  it("decides for a trusted caller whether the request is recorded", async () => {
    const { traceId, traceparent } = newTraceparent("00");
    const { runId } = await run(name, {}, { ...trusted, traceparent });
    const later = await run(name, {});
    await traceOf(later.runId, routeOfRun);
    expect(collector.spans.filter((span) => span.traceId === traceId)).toEqual([]);
    expect(JSON.stringify(collector.spans)).not.toContain(runId);
  });

  it("is only linked for any other caller, and does not decide what is recorded", async () => {
    const { traceId, traceparent } = newTraceparent("00");
    const { runId } = await run(name, {}, { traceparent, tracestate: `v=${secret}` });
    const request = named(await traceOf(runId, routeOfRun), routeOfRun);
    expect(request).toMatchObject({
      parentSpanId: undefined,
      links: [{ traceId, spanId: callerSpan.spanId, tracestate: "" }],
    });
    expect(request.traceId).not.toBe(traceId);
  });

  it.each(["nonsense", `00-${"0".repeat(32)}-${callerSpan.spanId}-01`])(
    "is ignored if it is %s",
    async (traceparent) => {
      const { runId } = await run(name, {}, { ...trusted, traceparent });
      const request = named(await traceOf(runId, routeOfRun), routeOfRun);
      expect(request).toMatchObject({ parentSpanId: undefined, links: [] });
    },
  );
});

describe("a request over MCP", () => {
  let name: string;
  beforeAll(async () => {
    name = await test.makeTool(
      `export default ({ fails }) => { if (fails) throw new Error("${secret}"); return {}; }`,
    );
  });

  async function callTool(
    params: { name: string; arguments: unknown; _meta?: unknown },
    headers: Record<string, string> = {},
  ) {
    const id = randomUUID();
    const response = await fetch(`${test.baseUrl}/api/mcp`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${test.apiKey}`,
        "content-type": "application/json",
        accept: "application/json",
        "mcp-protocol-version": "2025-11-25",
        ...headers,
      },
      body: JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params }),
    });
    return (await response.json()) as {
      result: { structuredContent: { runId: string }; isError?: boolean };
    };
  }

  const broker = { name: "service_execute_tool" };
  const span = "tools/call service_execute_tool";

  it("is a span below that of the POST", async () => {
    const { result } = await callTool({ ...broker, arguments: { tool_name: name, arguments: {} } });
    const spans = await traceOf(result.structuredContent.runId, "POST /api/mcp");
    expect(paths(spans)).toContain(`POST /api/mcp > ${span} > execute_tool ${name}`);
    expect(named(spans, span)).toMatchObject({ kind: "server", hasFailed: false, links: [] });
    expect(named(spans, span).attributes).toEqual({
      "mcp.method.name": "tools/call",
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": "service_execute_tool",
    });
  });

  it("continues the trace in _meta for a trusted caller, and links that of the POST", async () => {
    const { traceId, traceparent } = newTraceparent();
    const params = { ...broker, arguments: { tool_name: name, arguments: {} } };
    const { result } = await callTool({ ...params, _meta: { traceparent } }, trusted);
    const spans = await traceOf(result.structuredContent.runId, span);
    expect(spans[0]?.traceId).toBe(traceId);
    expect(paths(spans)).toContain(`${span} > execute_tool ${name}`);
    const request = named(spans, span);
    expect(request.parentSpanId).toBe(callerSpan.spanId);
    const [link] = request.links;
    const post = await collector.find(({ spanId }) => spanId === link?.spanId);
    expect(post.name).toBe("POST /api/mcp");
  });

  it("links the trace in _meta for any other caller", async () => {
    const { traceId, traceparent } = newTraceparent();
    const params = { ...broker, arguments: { tool_name: name, arguments: {} } };
    const { result } = await callTool({ ...params, _meta: { traceparent } });
    const spans = await traceOf(result.structuredContent.runId, "POST /api/mcp");
    expect(named(spans, span).links).toMatchObject([{ traceId, spanId: callerSpan.spanId }]);
    expect(paths(spans)).toContain(`POST /api/mcp > ${span} > execute_tool ${name}`);
  });

  it("has failed if the tool has, and does not repeat names of the client", async () => {
    const seen = collector.spans.length;
    const { result } = await callTool({ name, arguments: { fails: true } });
    expect(result.isError).toBe(true);
    await callTool({ name: secret, arguments: {} });
    const calls = () => collector.spans.slice(seen).filter((each) => each.name === "tools/call");
    await expect.poll(() => calls().length).toBe(2);
    expect(
      calls().map(({ hasFailed, attributes }) => [hasFailed, attributes["error.type"]]),
    ).toEqual([
      [true, "tool_error"],
      [true, expect.stringMatching(/^(?:-\d+|tool_error)$/)],
    ]);
  });
});

describe("a chat job", () => {
  it("is a trace of its own, with its run", async () => {
    slack.appUrl = test.baseUrl;
    const team: FakeTeam = slack.addTeam("Engineering");
    await connectTeam(test, team);
    const { user } = await addLinked(test, slack, team, "member");
    const name = await test.makeTool("export default () => ({})");
    await slack.mention(team, user, `run ${name} {"note": "${secret}"}`);
    const execution = await collector.find((span) => span.name === `execute_tool ${name}`);
    const spans = await collector.trace(execution.traceId, ["process chat_inbox"]);
    expect(paths(spans)).toContain(`process chat_inbox > execute_tool ${name}`);
    expect(named(spans, "process chat_inbox")).toMatchObject({
      kind: "consumer",
      parentSpanId: undefined,
      hasFailed: false,
    });
    expect(execution.attributes["toolhost.run.via"]).toBe("bot");
  });
});

describe("what is sent to the collector", () => {
  it("contains no input, output, secret, key, query or address", async () => {
    await test.call("POST", "/credentials", {
      name: "SOME_KEY",
      value: secret,
      owner: "user",
      hosts: ["example.com"],
    });
    const name = await test.makeTool(
      `export default (input, ctx) => { console.log(input.note); return { note: input.note }; }`,
      { credentials: [{ name: "SOME_KEY", hosts: ["example.com"] }] },
    );
    expect((await run(name, { note: secret })).status).toBe("completed");
    await test.call("GET", `/runs?toolName=${secret}`);
    await test.call("GET", `/tools/${secret}`);
    await fetch(`${test.baseUrl}/oauth/${secret}?token=${secret}`);
    await fetch(`${test.baseUrl}/${secret}`, { headers: { "user-agent": secret } });
    const last = await test.makeTool("export default () => ({})");
    await traceOf((await run(last, {})).runId, routeOfRun);
    const sent = Buffer.concat(collector.bodies).toString("latin1");
    expect(sent.includes(name)).toBe(true);
    for (const text of [secret, test.apiKey, test.person.email, "127.0.0.1:", "10.1.2.3"]) {
      expect([text, sent.includes(text)]).toEqual([text, false]);
    }
  });

  it("names requests without a route by their method only", () => {
    const names = new Set(collector.spans.map(({ name }) => name));
    expect(names).toContain("GET");
    expect(names).toContain("GET /oauth/*");
  });

  it("does not include probes and background tasks", async () => {
    const roots = collector.spans.filter(({ parentSpanId }) => parentSpanId === undefined);
    for (const span of roots) expect(["server", "consumer"]).toContain(span.kind);
    expect(roots.map(({ name }) => name).filter((name) => /healthz|readyz/.test(name))).toEqual([]);
  });
});

describe("runs without a working collector", () => {
  afterEach(() => {
    collector.behavior.status = 200;
  });

  it.each([500, 503, "never"] as const)(
    "does not affect runs when it responds with %s",
    async (status) => {
      const name = await test.makeTool("export default () => ({ done: true })");
      collector.behavior.status = status;
      const seen = collector.bodies.length;
      await run(name, {});
      await expect.poll(() => collector.bodies.length).toBeGreaterThan(seen);
      const startedAt = performance.now();
      const results = await Promise.all([1, 2].map(() => run(name, {})));
      expect(results.map((result) => result.status)).toEqual(["completed", "completed"]);
      expect(performance.now() - startedAt).toBeLessThan(3_000);
    },
  );

  it("delays the shutdown only briefly", async () => {
    const other = await startTestService({
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
    });
    collector.behavior.status = "never";
    const name = await other.makeTool("export default () => ({})");
    await other.call("POST", `/run/${name}`, {});
    const startedAt = performance.now();
    await other.stop();
    expect(performance.now() - startedAt).toBeLessThan(8_000);
  });
});

// Last, because the first node claims no runs afterwards.
describe("a queued run", () => {
  it("continues its trace after the queue, on whichever node", async () => {
    const name = await test.makeTool(
      "export default ({ ms }) => new Promise((resolve) => setTimeout(resolve, ms, {}))",
    );
    const { context } = test.service;
    const dataDir = await mkdtemp(join(tmpdir(), "toolhost-test-"));
    const isAlone = context.db.dialect === "sqlite";
    // The first node accepts the run, and the other one executes it.
    if (!isAlone) await context.runs.queue.stop();
    const other = isAlone
      ? undefined
      : await startService({
          ...context.config,
          PORT: 0,
          DATA_DIR: dataDir,
          dataDir,
          baseUrl: test.baseUrl,
        });
    try {
      await Promise.all([1, 2].map(() => run(name, { ms: 1_000 }, { prefer: "wait=0" })));
      const { runId, status } = await run(name, { ms: 1 });
      expect(status).toBe("completed");
      const spans = await traceOf(runId, routeOfRun, "queue", "sandbox execute");
      const below = `${routeOfRun} > execute_tool ${name}`;
      expect(paths(spans)).toEqual(
        expect.arrayContaining([below, `${below} > queue`, `${below} > sandbox execute`]),
      );
      const [queue, execution] = [named(spans, "queue"), named(spans, `execute_tool ${name}`)];
      expect(queue.endedAt - queue.startedAt).toBeGreaterThan(200);
      expect(Math.abs(queue.startedAt - execution.startedAt)).toBeLessThan(2);
      const [from, to] = [named(spans, routeOfRun), execution].map(
        ({ resource }) => resource["service.instance.id"],
      );
      expect(from === to).toBe(isAlone);
    } finally {
      await other?.stop();
      await rm(dataDir, { recursive: true, force: true });
    }
  });
});
