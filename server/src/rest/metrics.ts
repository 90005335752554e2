import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";
import { countInbox } from "#core/chat";
import type { Context } from "#core/context";
import { countQueuedRuns } from "#core/runs";

/** Metrics of this process in the Prometheus text format. */
export type Metrics = {
  observeLoop(delay: { delayMs: number; cpuMs: number }): void;
  observeRequest(request: { method: string; route: string; status: number; seconds: number }): void;
  render(): Promise<{ contentType: string; text: string }>;
};

export function createMetrics(context: Context): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const labelNames = ["method", "route", "status"];
  const requests = new Counter({
    name: "toolhost_http_requests_total",
    help: "HTTP requests served.",
    labelNames,
    registers: [registry],
  });
  const durations = new Histogram({
    name: "toolhost_http_request_duration_seconds",
    help: "Time to serve an HTTP request.",
    labelNames: ["method", "route"],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
    registers: [registry],
  });
  const gauge: AddGauge = (name, help, read) =>
    new Gauge({
      name: `toolhost_${name}`,
      help,
      registers: [registry],
      async collect() {
        this.set(await read());
      },
    });
  addRunMetrics(context, gauge);
  addWorkerMetrics(context, registry, gauge);
  return {
    observeLoop: createLoopMetrics(registry),
    observeRequest: ({ method, route, status, seconds }) => {
      requests.inc({ method, route, status: String(status) });
      durations.observe({ method, route }, seconds);
    },
    render: async () => ({ contentType: registry.contentType, text: await registry.metrics() }),
  };
}

type AddGauge = (name: string, help: string, read: () => number | Promise<number>) => void;

function addRunMetrics(context: Context, gauge: AddGauge): void {
  gauge("runs_running", "Runs in progress in this process.", () =>
    context.runs.admission.running(),
  );
  gauge(
    "child_runs_running",
    "Runs in progress that other runs wait for, not included above.",
    () => context.runs.childSlots.running(),
  );
  gauge("runs_queued", "Queued runs, on all nodes.", () => countQueuedRuns(context));
  gauge("chat_messages_waiting", "Chat messages waiting to be processed, on all nodes.", () =>
    countInbox(context, "waiting"),
  );
  gauge("chat_dead_letters", "Chat messages that could not be processed.", () =>
    countInbox(context, "dead"),
  );
  gauge("streams_open", "Open streams in this process.", () =>
    context.concurrency.count("streams"),
  );
  gauge(
    "streams_max",
    "Streams that this process may have open (NODE_MAX_STREAMS); 0 is no limit.",
    () => context.config.NODE_MAX_STREAMS,
  );
  gauge("uploads_open", "Uploads in progress in this process.", () =>
    context.concurrency.count("uploads"),
  );
  gauge("nodes", "Live nodes, as seen by this one.", () => context.cluster.size);
  gauge("sandbox_processes", "Live sandbox processes.", () => context.sandbox.stats().processes);
  const { SANDBOX_MAX_PROCESSES, SANDBOX_CHILD_PROCESSES, memoryBytes } = context.config;
  gauge(
    "sandbox_processes_max",
    "Sandbox processes that this node may have, without those for child runs.",
    () => SANDBOX_MAX_PROCESSES,
  );
  gauge(
    "sandbox_child_processes_max",
    "Additional sandbox processes for child runs.",
    () => SANDBOX_CHILD_PROCESSES,
  );
  gauge(
    "memory_limit_bytes",
    "Memory of the machine or control group, which the default sizes follow from.",
    () => memoryBytes,
  );
  gauge("sandbox_leased", "Sandbox processes in use.", () => context.sandbox.stats().leased);
  gauge(
    "sandbox_started_total",
    "Sandbox processes started.",
    () => context.sandbox.stats().started,
  );
  gauge("sandbox_killed_total", "Sandbox processes killed.", () => context.sandbox.stats().killed);
}

function createLoopMetrics(registry: Registry): Metrics["observeLoop"] {
  const delays = new Histogram({
    name: "toolhost_event_loop_delay_seconds",
    help: "Delay of the event loop, sampled every 20 ms.",
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [registry],
  });
  const longest = { delayMs: 0, cpuMs: 0 };
  const gauge = (name: string, help: string, field: keyof typeof longest) =>
    new Gauge({
      name: `toolhost_event_loop_${name}`,
      help,
      registers: [registry],
      collect() {
        this.set(longest[field] / 1_000);
        longest[field] = 0;
      },
    });
  gauge("delay_max_seconds", "Maximum delay of the event loop since the last scrape.", "delayMs");
  gauge(
    "cpu_max_seconds",
    "Maximum CPU time between two samples of the event loop since the last scrape.",
    "cpuMs",
  );
  return ({ delayMs, cpuMs }) => {
    delays.observe(delayMs / 1_000);
    longest.delayMs = Math.max(longest.delayMs, delayMs);
    longest.cpuMs = Math.max(longest.cpuMs, cpuMs);
  };
}

function addWorkerMetrics(context: Context, registry: Registry, gauge: AddGauge): void {
  observeBuilds(context, registry, gauge);
  const { validation } = context;
  gauge("worker_processes", "Processes that validate schemas and inputs.", () => {
    return validation.stats().processes;
  });
  gauge("worker_jobs_waiting", "Jobs that wait for a worker process.", () => {
    return validation.stats().waiting;
  });
  gauge("worker_jobs_stopped_total", "Jobs that exceeded their CPU time or memory.", () => {
    return validation.stats().stopped;
  });
}

function observeBuilds({ builder }: Context, registry: Registry, gauge: AddGauge): void {
  const durations = new Histogram({
    name: "toolhost_build_duration_seconds",
    help: "Duration of a build, including time in the queue.",
    labelNames: ["lane", "outcome"],
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120],
    registers: [registry],
  });
  builder.onBuild(({ lane, outcome, seconds }) => durations.observe({ lane, outcome }, seconds));
  for (const lane of ["plain", "packages"] as const) {
    const what = lane === "plain" ? "without npm packages" : "with npm packages";
    gauge(`builds_${lane}_running`, `Builds ${what} in progress.`, () => {
      return builder.stats()[lane].running;
    });
    gauge(`builds_${lane}_queued`, `Builds ${what} in the queue.`, () => {
      return builder.stats()[lane].queued;
    });
  }
}
