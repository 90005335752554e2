import { isDeepStrictEqual } from "node:util";
import type { JsonObject, RunSummary } from "@toolhost/contract";
import type { Caller } from "#core/kernel";
import { getSkill } from "#core/catalog";
import { requireScope } from "#core/identity";
import { getRunList } from "#core/runs";
import type { AgentsContext } from "./context.ts";
import type { BrokerAnswer } from "./broker-tool.ts";
import { parseJsonStrings } from "./parse-json-strings.ts";

const hourMs = 3_600_000;
const maxAgeMs = 24 * hourMs;
const maxListed = 10;
const maxCompared = 50;

/**
 * The caller's own runs of the last day, of one tool if it is named. The newest one is presented as a run, so that the
 * answer has the same fields as for a single run.
 */
export async function listRecentRuns(
  context: AgentsContext,
  caller: Caller,
  toolName: string | undefined,
): Promise<BrokerAnswer> {
  const runs = await findOwnRuns(context, caller, { toolName, ageMs: maxAgeMs, limit: maxListed });
  const [newest] = runs;
  if (newest === undefined) {
    const of = toolName === undefined ? "" : ` of ${JSON.stringify(toolName.slice(0, 100))}`;
    return { isError: true, text: `You have no runs${of} in the last 24 hours.` };
  }
  const { runId, status, toolName: name, toolUrl } = newest;
  const recentRuns = runs.map((run): JsonObject => ({
    runId: run.runId,
    toolName: run.toolName,
    status: run.status,
    createdAt: run.createdAt,
  }));
  const hint = "Your newest run comes first. Call service_check_run with a run_id for its result.";
  return {
    isError: false,
    structured: { runId, status, toolName: name, toolUrl, recentRuns, hint },
  };
}

/**
 * The ID of the caller's own newest run of a tool with these arguments, in the last hour. A run whose input was large or
 * contained secrets is not found, because its record does not show them.
 */
export async function findRunOf(
  context: AgentsContext,
  caller: Caller,
  { toolName, input }: { toolName: string; input: JsonObject },
): Promise<string | undefined> {
  const page = { toolName, ageMs: hourMs, limit: maxCompared };
  const runs = await findOwnRuns(context, caller, page);
  if (runs.length === 0) return undefined;
  const { inputSchema } = await getSkill(context, caller, toolName);
  const subject = { validation: context.validation, workspaceId: caller.workspaceId };
  const parsed = parseJsonStrings(subject, input, inputSchema);
  const found = runs.find(
    (run) => isDeepStrictEqual(run.input, input) || isDeepStrictEqual(run.input, parsed),
  );
  return found?.runId;
}

type Page = { toolName: string | undefined; ageMs: number; limit: number };

async function findOwnRuns(
  context: AgentsContext,
  caller: Caller,
  { toolName, ageMs, limit }: Page,
): Promise<RunSummary[]> {
  requireScope(caller, "mcp:read");
  const { userId } = caller;
  const since = context.clock.now() - ageMs;
  const filter = { toolName, userId, since, draft: false };
  return (await getRunList(context, caller, filter, { limit, after: undefined })).runs;
}
