import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { readConfig } from "#config";
import { startCollector } from "#testing/otlp-collector";
import type { OtlpCollector } from "#testing/otlp-collector";
import type { ExportReport } from "./exporter.ts";
import { chatJob, failure, openTracing, queueWait } from "./index.ts";
import type { Tracing } from "./index.ts";

let collector: OtlpCollector;
const opened: Tracing[] = [];
beforeEach(async () => {
  collector = await startCollector();
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await Promise.all(opened.map((tracing) => tracing.stop()));
  opened.length = 0;
  await collector.close();
});

async function open(settings: Record<string, string> = {}, report: ExportReport = () => undefined) {
  const config = readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint, ...settings });
  const tracing = await openTracing(config.tracing, report);
  opened.push(tracing);
  return tracing;
}

const job = { id: "job", workspace_id: "workspace", attempt: 1 };

function record(tracing: Tracing): void {
  tracing.start(chatJob, job).end();
}

/** Runs code in a process of its own, and returns what it writes to standard output and standard error. */
async function runCode(code: string): Promise<{ stdout: string; stderr: string }> {
  const cwd = join(import.meta.dirname, "..");
  return promisify(execFile)(process.execPath, ["--input-type=module", "-e", code], { cwd });
}

describe("openTracing", () => {
  it("loads no code that records spans while tracing is off", async () => {
    const code = (settings: string) => `
      import { registerHooks } from "node:module";
      const loaded = [];
      registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
      const { readConfig } = await import("./config.ts");
      const { openTracing } = await import("./telemetry/index.ts");
      const tracing = await openTracing(readConfig(${settings}).tracing, () => {});
      console.log(JSON.stringify([tracing.isOn, loaded.some((url) => url.includes("/telemetry/recorder.ts"))]));
      await tracing.stop();`;
    const off = await runCode(code("{}"));
    expect(JSON.parse(off.stdout)).toEqual([false, false]);
    const on = await runCode(code(`{ OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9" }`));
    expect(JSON.parse(on.stdout)).toEqual([true, true]);
  });

  it("describes nothing while tracing is off", async () => {
    const tracing = await openTracing(undefined, () => undefined);
    const describeStart = vi.fn<typeof queueWait>(queueWait);
    const span = tracing.start(describeStart, job);
    const describeFailure = vi.fn<typeof failure>(failure);
    span.update(describeFailure, new Error("no"));
    expect(tracing.within(span, () => tracing.carry())).toBeNull();
    expect(tracing.start(describeStart, job)).toBe(span);
    expect(describeStart).not.toHaveBeenCalled();
    expect(describeFailure).not.toHaveBeenCalled();
  });

  it("reads its settings only, and no environment variable", async () => {
    vi.stubEnv("OTEL_SDK_DISABLED", "true");
    vi.stubEnv("OTEL_TRACES_SAMPLER", "always_off");
    vi.stubEnv("OTEL_SERVICE_NAME", "from-environment");
    vi.stubEnv("OTEL_RESOURCE_ATTRIBUTES", "from=environment");
    vi.stubEnv("OTEL_EXPORTER_OTLP_HEADERS", "from=environment");
    vi.stubEnv("OTEL_EXPORTER_OTLP_COMPRESSION", "gzip");
    vi.stubEnv("OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT", "0");
    record(await open({ OTEL_SERVICE_NAME: "tools" }));
    const span = await collector.find(() => true);
    expect(span.attributes["messaging.message.id"]).toBe("job");
    expect(JSON.stringify([span, collector.headers])).not.toMatch(/environment|gzip/);
    expect(span.resource["service.name"]).toBe("tools");
  });

  it.each([
    ["always_off", "1", 0],
    ["parentbased_always_off", "1", 0],
    ["traceidratio", "0", 0],
    ["parentbased_traceidratio", "0", 0],
    ["parentbased_traceidratio", "1", 20],
    ["always_on", "0", 20],
  ])("samples with %s and %s", async (sampler, ratio, count) => {
    const tracing = await open({ OTEL_TRACES_SAMPLER: sampler, OTEL_TRACES_SAMPLER_ARG: ratio });
    for (let n = 0; n < 20; n++) record(tracing);
    await tracing.stop();
    expect(collector.spans).toHaveLength(count);
  });
});

describe("the active span", () => {
  it("is carried to another process, with its trace state", async () => {
    const tracing = await open({ TRACE_TRUSTED_CALLERS: "10.0.0.0/8" });
    const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    const received = { traceparent, tracestate: "a=1,b=2 3", ip: "10.0.0.1" };
    const span = tracing.receive(chatJob, job, received);
    const carried = tracing.within(span, () => tracing.carry());
    expect(carried).toMatch(/^00-0af7651916cd43dd8448eb211c80319c-[\da-f]{16}-01 a=1,b=2 3$/);
    const headers = tracing.headersOf(span);
    expect(`${headers["traceparent"]} ${headers["tracestate"]}`).toBe(carried);
    const other = await open();
    other.resume(carried, () => other.start(queueWait, job).end());
    span.end();
    const queue = await collector.find(({ name }) => name === "queue");
    expect(queue).toMatchObject({
      traceId: "0af7651916cd43dd8448eb211c80319c",
      parentSpanId: carried?.split("-")[2],
      tracestate: "a=1,b=2 3",
    });
  });

  it("is not that of whatever resumed the work", async () => {
    const tracing = await open();
    const span = tracing.start(chatJob, job);
    expect(tracing.carry()).toBeNull();
    tracing.within(span, () => {
      expect(tracing.isActive()).toBe(true);
      expect(tracing.resume(null, () => tracing.carry())).toBeNull();
      expect(tracing.detached(() => tracing.carry())).toBeNull();
    });
  });

  it("is named in log lines", async () => {
    const tracing = await open();
    expect(tracing.logFields?.()).toEqual({});
    const span = tracing.start(chatJob, job);
    const fields = await tracing.within(span, async () => {
      await Promise.resolve();
      return tracing.logFields?.();
    });
    span.end();
    const { traceId, spanId } = await collector.find(() => true);
    expect(fields).toEqual({ trace_id: traceId, span_id: spanId });
    const { stderr } = await runCode(`
      import { createLog } from "./lib/log.ts";
      createLog("info", { fieldsOfLine: () => ({ trace_id: "t1" }) }).info({ runId: "r1" }, "done");
      createLog("info").info("off");`);
    const [line, off] = stderr.trim().split("\n");
    expect(JSON.parse(line ?? "")).toMatchObject({ trace_id: "t1", runId: "r1", msg: "done" });
    expect(off).not.toContain("trace_id");
  });
});

describe("failure", () => {
  it("is the class of an error, and nothing of its message", () => {
    const withCode = (code: string) => Object.assign(new Error("secret"), { code });
    expect(failure(withCode("ECONNREFUSED"))).toEqual({ errorType: "ECONNREFUSED" });
    expect(failure(new TypeError("secret"))).toEqual({ errorType: "TypeError" });
    expect(failure(withCode("a secret"))).toEqual({ errorType: "_OTHER" });
    expect(failure("secret")).toEqual({ errorType: "_OTHER" });
  });
});

describe("a collector that is away", () => {
  it("is reported once, and gets the spans when it is back", async () => {
    const { port } = new URL(collector.endpoint);
    await collector.close();
    const events: Parameters<ExportReport>[0][] = [];
    const settings = { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` };
    const tracing = await open(settings, (event) => events.push(event));
    record(tracing);
    await expect.poll(() => events.length).toBe(1);
    expect(events).toEqual([{ state: "failing", reason: "ECONNREFUSED" }]);
    record(tracing);
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(events).toHaveLength(1);
    collector = await startCollector(Number(port));
    await expect.poll(() => collector.spans.length).toBe(2);
    expect(events.slice(1)).toEqual([{ state: "recovered", lostSpans: 0 }]);
  });

  it("gets a batch again after a status that allows it, and not after another", async () => {
    const events: Parameters<ExportReport>[0][] = [];
    const tracing = await open({}, (event) => events.push(event));
    for (const status of [503, 500]) {
      collector.behavior.status = status;
      const seen = collector.bodies.length;
      record(tracing);
      await expect.poll(() => collector.bodies.length).toBe(seen + 1);
      await expect.poll(() => events.length % 2).toBe(1);
      collector.behavior.status = 200;
      if (status === 500) record(tracing);
      await expect.poll(() => events.length % 2).toBe(0);
    }
    expect(collector.spans).toHaveLength(2);
    expect(events).toEqual([
      { state: "failing", reason: "HTTP 503" },
      { state: "recovered", lostSpans: 0 },
      { state: "failing", reason: "HTTP 500" },
      { state: "recovered", lostSpans: 1 },
    ]);
  });

  it("does not end the process because of a header that cannot be sent", async () => {
    const events: Parameters<ExportReport>[0][] = [];
    const settings = { OTEL_EXPORTER_OTLP_HEADERS: "authorization=a%0Ab" };
    record(await open(settings, (event) => events.push(event)));
    await expect.poll(() => events).toEqual([{ state: "failing", reason: "ERR_INVALID_CHAR" }]);
  });

  it("loses spans instead of memory, and time at the shutdown", async () => {
    collector.behavior.status = "never";
    const tracing = await open();
    const startedAt = performance.now();
    for (let n = 0; n < 50_000; n++) record(tracing);
    expect(performance.now() - startedAt).toBeLessThan(10_000);
    const stoppingAt = performance.now();
    await tracing.stop();
    expect(performance.now() - stoppingAt).toBeLessThan(4_000);
    expect(collector.bodies.length).toBeLessThan(50);
  });
});
