import type { Caller } from "#core/kernel";
import type { Context } from "#core/context";
import type { runTool } from "#core/runs";
import { jsonHeaders } from "./response.ts";
import type { RouteRequest } from "./route.ts";

type RunRequest = Pick<
  RouteRequest<undefined, undefined, undefined>,
  "headers" | "key" | "noteLimits"
> & {
  body: unknown;
};
type RunOptions = Omit<Parameters<typeof runTool>[2], "toolName" | "draft">;

/** The request header that chooses how long a run is waited for. */
export const preferHeader = {
  name: "Prefer",
  description: "`wait=N` or `respond-async` (RFC 7240).",
};

/** Reads a request to run a tool. `headers` are those of its response. */
export function readRunRequest(
  context: Context,
  caller: Caller,
  { body, headers, key, noteLimits }: RunRequest,
): { request: RunOptions; headers: Record<string, string> } {
  const { waitMs, applied } = readPrefer(headers.get("prefer"), context.config.RUN_WAIT_MS);
  const responseHeaders: Record<string, string> =
    applied === undefined ? {} : { "preference-applied": applied };
  const request = {
    input: body,
    waitMs,
    noteLimits,
    key: key && { request: key, headers: { ...jsonHeaders(caller.requestId), ...responseHeaders } },
  };
  return { request, headers: responseHeaders };
}

/** Reads `Prefer: wait=N` of a request that does not wait by default. */
export function readWait(header: string | null): Wait {
  const wait = readPrefer(header, 0);
  return wait.applied === "respond-async" ? { waitMs: 0, applied: undefined } : wait;
}

type Wait = { waitMs: number; applied: string | undefined };

const maxWaitSeconds = 55;

/**
 * Reads `Prefer: wait=N` and `Prefer: respond-async` (RFC 7240, sections 4.1 and 4.3). Waits are capped at 55 s, and unknown
 * preferences are ignored, as the RFC requires. `applied` is the value for `Preference-Applied`.
 */
function readPrefer(header: string | null, defaultWaitMs: number): Wait {
  const preferences = (header ?? "").split(",").map((part) => part.split(";")[0]?.trim() ?? "");
  if (preferences.some((preference) => preference.toLowerCase() === "respond-async")) {
    return { waitMs: 0, applied: "respond-async" };
  }
  for (const preference of preferences) {
    const seconds = /^wait\s*=\s*"?(\d{1,9})"?$/i.exec(preference)?.[1];
    if (seconds !== undefined) {
      const wait = Math.min(Number(seconds), maxWaitSeconds);
      return { waitMs: wait * 1_000, applied: `wait=${wait}` };
    }
  }
  return { waitMs: defaultWaitMs, applied: undefined };
}
