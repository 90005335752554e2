import { known } from "./history-rows.ts";
import type { History } from "./history-rows.ts";
import type { HttpClient } from "./http-client.ts";
import { runCall, saveTool } from "./service.ts";
import { toolCode } from "./settings.ts";

/** A request that should take the same time with many rows as with few. */
export type HistoryCall = { name: string; call: () => Promise<unknown> };

const hourMs = 3_600_000;

/** The calls that are measured with `size` rows. The first is `GET /me`, for comparison. */
export async function historyCalls(
  client: HttpClient,
  apiKey: string,
  history: History,
  size: number,
): Promise<HistoryCall[]> {
  const headers = { authorization: `Bearer ${apiKey}` };
  const get = (path: string) => async () => {
    const { status, text } = await client.send("GET", `/api/v1${path}`, headers);
    if (status !== 200) throw new Error(`${path} answered ${status}: ${text}`);
    return text;
  };
  const middle = await history.findRun(size / 2);
  const cursor = Buffer.from(middle).toString("base64url");
  const oldest = encodeTime(timeOfId(await history.findRun(30)));
  const until = timeOfId(middle);
  const window = `since=${encodeTime(until - hourMs)}&until=${encodeTime(until)}`;
  const tool = await saveTool(client, apiKey, {
    title: `Sum ${size}`,
    code: toolCode,
    isolation: "reuse",
  });
  const paths = {
    "(who am I)": "/me",
    "runs: newest": "/runs",
    "runs: of a tool": `/runs?toolName=${known.tool}`,
    "runs: of a tool not used for long": `/runs?toolName=${known.oldTool}`,
    "runs: completed": "/runs?status=completed",
    "runs: failed": "/runs?status=failed",
    "runs: failed, of a tool": `/runs?status=failed&toolName=${known.tool}`,
    "runs: failed, of a tool not used for long": `/runs?status=failed&toolName=${known.oldTool}`,
    "runs: running (none)": "/runs?status=running",
    "runs: running, of a tool (none)": `/runs?status=running&toolName=${known.tool}`,
    "runs: page halfway": `/runs?cursor=${cursor}`,
    "one run, halfway": `/runs/${middle}`,
    "audit: newest": "/audit-events",
    "audit: page halfway": `/audit-events?cursor=${cursor}`,
    "audit: actor not seen for long": `/audit-events?actor=${known.oldUser}`,
    "audit: action run.create": "/audit-events?action=run.create",
    "audit: action not seen for long": `/audit-events?action=${known.oldAction}`,
    "audit: target": `/audit-events?target=${middle}`,
    "audit: an hour halfway": `/audit-events?${window}`,
    "audit: until long ago": `/audit-events?until=${oldest}`,
    "audit: until long ago, of an actor": `/audit-events?until=${oldest}&actor=${known.oldUser}`,
  };
  return [
    ...Object.entries(paths).map(([name, path]) => ({ name, call: get(path) })),
    { name: "run: begin and end", call: runCall(client, apiKey, tool) },
  ];
}

/** The first 48 bits of an ID are its creation time. */
function timeOfId(id: string): number {
  return Number.parseInt(id.replace("-", "").slice(0, 12), 16);
}

function encodeTime(ms: number): string {
  return encodeURIComponent(new Date(ms).toISOString());
}
