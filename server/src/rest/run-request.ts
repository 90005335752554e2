import type { Caller } from "#core/kernel";
import type { Context } from "#core/context";
import type { runTool } from "#core/runs";
import { jsonHeaders } from "./answer.ts";
import { readPrefer } from "./prefer.ts";
import type { RouteRequest } from "./route.ts";

type Asked = Pick<
  RouteRequest<undefined, undefined, undefined>,
  "headers" | "key" | "noteLimits"
> & {
  body: unknown;
};
type Request = Omit<Parameters<typeof runTool>[2], "toolName" | "draft">;

/** The header with which whoever asks for a run chooses the wait. */
export const preferHeader = {
  name: "Prefer",
  description: "`wait=N` or `respond-async` (RFC 7240).",
};

/** A request for a run: how long it waits, what its key keeps, and the headers of its answer. */
export function readRunRequest(
  context: Context,
  caller: Caller,
  { body, headers, key, noteLimits }: Asked,
): { request: Request; headers: Record<string, string> } {
  const { waitMs, applied } = readPrefer(headers.get("prefer"), context.config.RUN_WAIT_MS);
  const own: Record<string, string> =
    applied === undefined ? {} : { "preference-applied": applied };
  const request = {
    input: body,
    waitMs,
    noteLimits,
    key: key && { request: key, headers: { ...jsonHeaders(caller.requestId), ...own } },
  };
  return { request, headers: own };
}
