import { z } from "zod";
import { hostList, limit, whole } from "./config-values.ts";

const megabyte = 1024 * 1024;

/** The processes that run the code of tools. */
export const sandboxSettings = {
  SANDBOX_ISOLATION: z
    .enum(["auto", "bwrap", "namespaces", "process"])
    .default("auto")
    .describe("Isolation layer; `auto` selects the strongest one that the machine offers."),
  SANDBOX_MAX_PROCESSES: whole(1, 2_000).optional().meta({
    description: "Sandbox processes in total. See [Memory](../operate/operate.md#memory).",
    unset: "by memory, up to 64",
    example: "64",
  }),
  SANDBOX_CHILD_PROCESSES: whole(1, 2_000).optional().meta({
    description: "Additional processes for child runs, at least `RUN_CHILD_DEPTH`.",
    unset: "by memory, up to 32",
    example: "32",
  }),
  SANDBOX_IDLE_PROCESSES: whole(0, 64)
    .default(2)
    .describe("Idle processes that are ready for the next workspace."),
  SANDBOX_IDLE_TIMEOUT_MS: whole(0, 86_400_000)
    .default(60_000)
    .describe("When a process that waits for another run of its workspace ends."),
  SANDBOX_MAX_RUNS_PER_PROCESS: whole(1, 1_000_000)
    .default(5_000)
    .describe("Runs after which a process is recycled."),
  SANDBOX_MAX_PROCESS_AGE_MS: whole(1_000, 86_400_000)
    .default(3_600_000)
    .describe("Age at which a process is recycled."),
};

/** Limits of one run, and the queue. */
export const runSettings = {
  RUN_WAIT_MS: whole(0, 55_000)
    .default(25_000)
    .describe("How long `POST /api/v1/run` waits before it returns `running`."),
  AGENT_OUTPUT_CHARACTERS: whole(1_000, 400_000)
    .default(20_000)
    .describe("Length above which outputs are shortened for agents. A workspace can set its own."),
  RUN_MAX_WALL_MS: whole(100, 86_400_000).default(900_000).describe("Duration of a run."),
  RUN_MAX_CPU_MS: whole(50, 3_600_000).default(30_000).describe("CPU time of a run."),
  RUN_MAX_MEMORY_MB: whole(16, 4_096).default(256).describe("Memory of a run."),
  RUN_MAX_OUTPUT_BYTES: whole(1_024, 64 * megabyte)
    .default(6 * megabyte)
    .describe("Output of a run."),
  RUN_MAX_LOG_BYTES: whole(0, 64 * megabyte)
    .default(megabyte)
    .describe("Stored log of a run."),
  RUN_MAX_SAVED_FILES: whole(0, 100_000)
    .default(100)
    .describe("Number of files that a run can save."),
  RUN_CHILD_DEPTH: whole(0, 20)
    .default(5)
    .describe("Nesting depth of child runs; 0 turns them off."),
  RUN_CHILDREN_MAX: whole(1, 100_000)
    .default(100)
    .describe("Child runs of a run, at all depths together."),
  RUN_CHILD_WAIT_MS: whole(100, 900_000)
    .default(30_000)
    .describe("How long a child run waits for a slot."),
  WORKSPACE_MAX_CONCURRENT_RUNS: whole(1, 10_000)
    .default(16)
    .describe(
      "Concurrent runs of a workspace on all nodes. Runs that start at the same moment on several nodes can exceed it by a few.",
    ),
  NODE_MAX_CONCURRENT_RUNS: whole(1, 10_000).optional().meta({
    description: "Concurrent runs of a node.",
    unset: "`SANDBOX_MAX_PROCESSES`",
    example: "64",
  }),
  WORKSPACE_MAX_QUEUED_RUNS: whole(0, 1_000_000)
    .default(1_000)
    .describe("Queued runs of a workspace."),
  MAX_QUEUED_RUNS: whole(0, 1_000_000).default(10_000).describe("Queued runs of all workspaces."),
};

/** What the code of tools can reach in the network. */
export const egressSettings = {
  EGRESS_PRIVATE_HOSTS: hostList.default([]).meta({
    description:
      "Private hosts that tools can reach if they also declare them: host, host:port or ip:port, comma-separated.",
    example: "intranet.example.com,10.0.0.5:8080",
  }),
  EGRESS_HTTP2_HOSTS: hostList.default([]).meta({
    description:
      "Hosts that tools reach with HTTP/2 if offered; others use HTTP/1.1. Add only hosts that you trust: a hostile server could use HTTP/2 to stop the service.",
    example: "grpc.example.com,api.example.com:8443",
  }),
  EGRESS_MAX_PARALLEL_REQUESTS: whole(1, 1_000)
    .default(20)
    .describe("Parallel network requests of a run; more wait."),
  EGRESS_MAX_REQUESTS: whole(0, 1_000_000)
    .default(1_000)
    .describe("Network requests of a run; 0 allows none."),
  EGRESS_MAX_SENT_BYTES: whole(0, 1_024 ** 4)
    .default(100 * megabyte)
    .describe("Bytes that a run can send; 0 allows none."),
  EGRESS_MAX_RECEIVED_BYTES: whole(0, 1_024 ** 4)
    .default(100 * megabyte)
    .describe("Bytes that a run can receive; 0 allows none."),
  EGRESS_CONNECT_TIMEOUT_MS: whole(100, 120_000)
    .default(10_000)
    .describe("Timeout for opening a network connection."),
};

/** What building a tool may cost. */
export const buildSettings = {
  BUILD_TIMEOUT_MS: whole(1_000, 900_000)
    .default(120_000)
    .describe("Time for a build with npm packages."),
  BUILD_MAX_MB: whole(1, 4_096)
    .default(200)
    .describe("Size of a tool's packages, both packed and unpacked."),
  BUILD_MAX_FILES: whole(1, 1_000_000).default(60_000).describe("Files of a tool's packages."),
  BUNDLE_MAX_BYTES: whole(1_024, 64 * megabyte)
    .default(4 * megabyte)
    .describe("Size of a tool's code with its packages."),
  BUILD_SLOTS: whole(1, 64).optional().meta({
    description:
      "Concurrent builds: this many with npm packages, and as many without. Each can use 1 GiB of memory.",
    unset: "by memory, up to 4",
    example: "4",
  }),
  WORKSPACE_MAX_QUEUED_BUILDS: whole(0, 100_000)
    .default(100)
    .describe("Queued builds of a workspace."),
  BUILD_CACHE_MAX_MB: whole(0, 1_048_576)
    .default(1_024)
    .describe(
      "Package cache in `DATA_DIR`; the least recently used packages are deleted. 0 turns the cache off.",
    ),
};

/** The processes that validate schemas and inputs. */
export const workerSettings = {
  WORKER_PROCESSES: whole(1, 64)
    .default(2)
    .describe("Processes that validate large schemas and inputs."),
  WORKER_JOB_CPU_MS: whole(100, 60_000).default(2_000).describe("CPU time of one validation."),
  WORKSPACE_WORKER_CPU_MS_PER_MINUTE: limit
    .default(20_000)
    .describe("CPU time for validations of one workspace per minute; 0 is off."),
};
