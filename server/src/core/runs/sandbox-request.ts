import type { ExecuteRequest } from "@toolhost/sandbox";
import type { RunnableTool } from "#core/catalog";
import type { RunCredentials } from "#core/vault";
import type { ActiveRun } from "./active-runs.ts";
import type { RunsContext } from "./context.ts";
import { traceEgress } from "./trace-run.ts";

type SandboxRequest = Omit<
  ExecuteRequest,
  "runId" | "reuseKey" | "services" | "beforeRequest" | "onStart" | "onProgress" | "onLog"
>;

/** The limits, hosts and credentials of a run, as the sandbox takes them. */
export function sandboxRequest(
  context: RunsContext,
  { tool, input }: { tool: RunnableTool; input: string },
  active: ActiveRun,
  credentials: RunCredentials,
): SandboxRequest {
  const { config } = context;
  const { timeoutMs, isolation, limits, allowedHosts } = tool.definition;
  const ownWallMs = atMost(timeoutMs, config.RUN_MAX_WALL_MS);
  // A child gets no more time than its parent has left.
  const leftMs = (active.parent?.deadline ?? Infinity) - performance.now();
  const wallMs = Math.max(1, Math.min(ownWallMs, Math.ceil(leftMs)));
  return {
    workspaceId: active.workspaceId,
    code: tool.bundle,
    inputJson: input,
    isolation,
    isChild: active.parent !== undefined,
    limits: {
      wallMs,
      cpuMs: atMost(limits.cpuMs, config.RUN_MAX_CPU_MS),
      memoryBytes: atMost(limits.memoryMb, config.RUN_MAX_MEMORY_MB) * 1024 * 1024,
      outputBytes: atMost(limits.outputBytes, config.RUN_MAX_OUTPUT_BYTES),
      logBytes: atMost(limits.logBytes, config.RUN_MAX_LOG_BYTES),
    },
    egress: {
      allowedHosts,
      privateHosts: config.EGRESS_PRIVATE_HOSTS,
      secrets: credentials.secrets,
      limits: {
        parallelRequests: config.EGRESS_MAX_PARALLEL_REQUESTS,
        requests: config.EGRESS_MAX_REQUESTS,
        bytesSent: config.EGRESS_MAX_SENT_BYTES,
        bytesReceived: config.EGRESS_MAX_RECEIVED_BYTES,
        connectMs: config.EGRESS_CONNECT_TIMEOUT_MS,
      },
      observe: traceEgress(context, active),
    },
    credentials: credentials.shown,
    signal: active.abort.signal,
  };
}

/** A tool's own limit, capped by the server's. */
function atMost(own: number | undefined, server: number): number {
  return Math.min(own ?? server, server);
}
