import type { Caller } from "#core/kernel";
import type { Context } from "#core/context";
import type { runTool } from "#core/runs";
import { jsonHeaders } from "./response.ts";
import { readPrefer } from "./prefer.ts";
import type { RouteRequest } from "./route.ts";

type RunRouteRequest = Pick<
  RouteRequest<undefined, undefined, undefined>,
  "headers" | "key" | "noteLimits"
> & {
  body: unknown;
};
type Request = Omit<Parameters<typeof runTool>[2], "toolName" | "draft">;

/** The header with which a client chooses how long to wait for a run. */
export const preferHeader = {
  name: "Prefer",
  description: "`wait=N` or `respond-async` (RFC 7240).",
};

/** The request for a run, with its wait and Idempotency-Key, and the headers of its response. */
export function readRunRequest(
  context: Context,
  caller: Caller,
  { body, headers, key, noteLimits }: RunRouteRequest,
): { request: Request; headers: Record<string, string> } {
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
