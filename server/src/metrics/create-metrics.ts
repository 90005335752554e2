import { collectDefaultMetrics, Counter, Histogram } from "prom-client";
import type { Registry } from "prom-client";
import type { Context } from "#core/context";
import { addComponentMetrics } from "./components.ts";
import type { ReadReadiness } from "./components.ts";
import { observeLoop } from "./event-loop.ts";
import { createInstruments } from "./instruments.ts";
import { addQueueMetrics, addWebhookMetrics } from "./queues.ts";
import { addSandboxMetrics } from "./sandbox.ts";
import { addTopMetrics } from "./top.ts";

/** Metrics of this process in the Prometheus text format. */
export type Metrics = {
  observeLoop(delay: { delayMs: number; cpuMs: number }): void;
  observeRequest(request: { method: string; route: string; status: number; seconds: number }): void;
  render(): Promise<{ contentType: string; text: string }>;
};

/** Adds to what `context.meter` measures everything that is read when metrics are requested. */
export function createMetrics(context: Context, readReadiness: ReadReadiness): Metrics {
  const { registry } = context.meter;
  collectDefaultMetrics({ register: registry });
  // Gauges with the suffix of counters, which `promtool check metrics` rejects.
  for (const kind of ["handles", "requests", "resources"]) {
    registry.removeSingleMetric(`nodejs_active_${kind}_total`);
  }
  const instruments = createInstruments(registry);
  addComponentMetrics(context, instruments, readReadiness);
  addQueueMetrics(context, instruments);
  addWebhookMetrics(context, instruments);
  addSandboxMetrics(context, registry, instruments);
  addTopMetrics(context, instruments);
  return {
    observeLoop: observeLoop(registry),
    observeRequest: observeRequests(registry),
    render: async () => ({ contentType: registry.contentType, text: await registry.metrics() }),
  };
}

function observeRequests(registry: Registry): Metrics["observeRequest"] {
  const requests = new Counter({
    name: "toolhost_http_requests_total",
    help: "HTTP requests served.",
    labelNames: ["method", "route", "status"],
    registers: [registry],
  });
  const durations = new Histogram({
    name: "toolhost_http_request_duration_seconds",
    help: "Time to serve an HTTP request.",
    labelNames: ["method", "route"],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
    registers: [registry],
  });
  return ({ method, route, status, seconds }) => {
    requests.inc({ method, route, status: String(status) });
    durations.observe({ method, route }, seconds);
  };
}
