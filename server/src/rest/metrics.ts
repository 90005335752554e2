import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";
import { countInbox } from "#core/chat";
import type { Context } from "#core/context";
import { countQueuedRuns } from "#core/runs";

/** Figures about this process in the Prometheus text format. */
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
    help: "HTTP requests answered.",
    labelNames,
    registers: [registry],
  });
  const durations = new Histogram({
    name: "toolhost_http_request_duration_seconds",
    help: "Time to answer an HTTP request.",
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
  gauge("runs_running", "Runs under way in this process.", () => context.runs.admission.running());
  gauge("child_runs_running", "Runs that other runs wait for, beside those.", () =>
    context.runs.childSlots.running(),
  );
  gauge("runs_queued", "Runs waiting, on all nodes together.", () => countQueuedRuns(context));
  gauge("chat_messages_waiting", "Messages of chats that are not answered yet, on all nodes.", () =>
    countInbox(context, "waiting"),
  );
  gauge("chat_dead_letters", "Messages of chats that could not be answered.", () =>
    countInbox(context, "dead"),
  );
  gauge("streams_open", "Streams open in this process.", () => context.holds.count("streams"));
  gauge("uploads_open", "Uploads whose bytes arrive in this process.", () =>
    context.holds.count("uploads"),
  );
  gauge("nodes", "Nodes that live, as this one sees it.", () => context.cluster.size);
  gauge("sandbox_processes", "Sandbox processes alive.", () => context.sandbox.stats().processes);
  gauge("sandbox_leased", "Sandbox processes at work.", () => context.sandbox.stats().leased);
  gauge(
    "sandbox_started_total",
    "Sandbox processes started.",
    () => context.sandbox.stats().started,
  );
  gauge("sandbox_killed_total", "Sandbox processes killed.", () => context.sandbox.stats().killed);
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

function createLoopMetrics(registry: Registry): Metrics["observeLoop"] {
  const delays = new Histogram({
    name: "toolhost_event_loop_delay_seconds",
    help: "How much later than due the event loop came to a timer, every 20 ms.",
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
  gauge("delay_max_seconds", "The longest such delay since the last scrape.", "delayMs");
  gauge(
    "cpu_max_seconds",
    "Most CPU time between two looks at the event loop since the last scrape.",
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
  gauge("worker_processes", "Processes that check schemas and inputs.", () => {
    return validation.stats().processes;
  });
  gauge("worker_jobs_waiting", "Jobs that wait for such a process.", () => {
    return validation.stats().waiting;
  });
  gauge("worker_jobs_stopped_total", "Jobs that were stopped for their CPU time or memory.", () => {
    return validation.stats().stopped;
  });
}

function observeBuilds({ builder }: Context, registry: Registry, gauge: AddGauge): void {
  const durations = new Histogram({
    name: "toolhost_build_duration_seconds",
    help: "Time from asking for a build to its end, waiting included.",
    labelNames: ["lane", "outcome"],
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120],
    registers: [registry],
  });
  builder.onBuild(({ lane, outcome, seconds }) => durations.observe({ lane, outcome }, seconds));
  for (const lane of ["plain", "packages"] as const) {
    const what = lane === "plain" ? "without npm packages" : "with npm packages";
    gauge(`builds_${lane}_running`, `Builds ${what} under way.`, () => {
      return builder.stats()[lane].running;
    });
    gauge(`builds_${lane}_queued`, `Builds ${what} waiting for a slot.`, () => {
      return builder.stats()[lane].queued;
    });
  }
}
