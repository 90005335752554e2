import { Histogram } from "prom-client";
import type { Registry } from "prom-client";
import type { Context } from "#core/context";
import type { Instruments } from "./instruments.ts";

/** Adds the processes that run tools, builds and validation. */
export function addSandboxMetrics(
  context: Context,
  registry: Registry,
  instruments: Instruments,
): void {
  const { gauge, counter, family } = instruments;
  const { SANDBOX_MAX_PROCESSES, SANDBOX_CHILD_PROCESSES } = context.config;
  const stats = () => context.sandbox.stats();
  addIsolation(context, instruments);
  gauge("sandbox_processes", "Live sandbox processes.", () => stats().processes);
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
  gauge("sandbox_leased", "Sandbox processes in use.", () => stats().leased);
  gauge("sandbox_waiting", "Runs that wait for a sandbox process.", () => stats().waiting);
  counter("sandbox_started_total", "Sandbox processes started.", () => stats().started);
  counter(
    "sandbox_start_failures_total",
    "Starts of sandbox processes that failed.",
    () => stats().failedStarts,
  );
  family(
    "counter",
    {
      name: "sandbox_killed_total",
      help: "Sandbox processes killed, by reason: run if a run left it unusable, otherwise recycled.",
      labelNames: ["reason"],
    },
    () => {
      const { killed, unusable } = stats();
      return [
        { labels: { reason: "run" }, value: unusable },
        { labels: { reason: "recycled" }, value: killed - unusable },
      ];
    },
  );
  addBuildMetrics(context, registry, instruments);
  const { validation } = context;
  gauge("worker_processes", "Processes that validate schemas and inputs.", () => {
    return validation.stats().processes;
  });
  gauge("worker_jobs_waiting", "Jobs that wait for a worker process.", () => {
    return validation.stats().waiting;
  });
  counter("worker_jobs_stopped_total", "Jobs that exceeded their CPU time or memory.", () => {
    return validation.stats().stopped;
  });
}

function addIsolation({ sandbox }: Context, { family }: Instruments): void {
  family(
    "gauge",
    {
      name: "sandbox_isolation",
      help: "1 for the isolation layer in use; no value while the sandbox is not ready.",
      labelNames: ["layer"],
    },
    () => {
      const status = sandbox.status();
      return status.ready ? [{ labels: { layer: status.layer }, value: 1 }] : [];
    },
  );
}

function addBuildMetrics({ builder }: Context, registry: Registry, { family }: Instruments): void {
  const durations = new Histogram({
    name: "toolhost_build_duration_seconds",
    help: "Duration of a build, including time in the queue.",
    labelNames: ["lane", "outcome"],
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120],
    registers: [registry],
  });
  builder.onBuild(({ lane, outcome, seconds }) => durations.observe({ lane, outcome }, seconds));
  const lanes = (field: "running" | "queued") => () =>
    (["plain", "packages"] as const).map((lane) => ({
      labels: { lane },
      value: builder.stats()[lane][field],
    }));
  const labelNames = ["lane"];
  const help = "by lane: plain, or packages for code with npm packages.";
  family(
    "gauge",
    { name: "builds_running", help: `Builds in progress, ${help}`, labelNames },
    lanes("running"),
  );
  family(
    "gauge",
    { name: "builds_queued", help: `Builds in the queue, ${help}`, labelNames },
    lanes("queued"),
  );
}
