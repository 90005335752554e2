import type { RunUsage, Via } from "@toolhost/contract";
import { mayDo } from "#core/kernel";
import type { Caller } from "#core/kernel";
import { findRunTitles } from "#core/runs";
import type { StatsContext } from "./context.ts";
import type { ToolTally } from "./present-tools.ts";
import { findClientNames } from "./subject-store.ts";

/** The runs of one tool that one user started with one client. */
export type UsageTally = {
  userId: string;
  client: string;
  /** Null for all tools that the viewer may not see. */
  toolName: string | null;
  runs: number;
  failed: number;
};

const maxRows = 50;

/** Who used which tool the most. The names of other users' keys and apps are for roles that list them. */
export async function presentUsage(
  { db }: StatsContext,
  caller: Caller,
  tallies: readonly UsageTally[],
  tools: ReadonlyMap<string, ToolTally>,
): Promise<RunUsage[]> {
  const most = tallies.toSorted((a, b) => b.runs - a.runs).slice(0, maxRows);
  const shown = most.flatMap(({ toolName }) => tools.get(toolName ?? "") ?? []);
  const titles = await findRunTitles(
    db,
    caller,
    shown.map(({ toolId, toolName }) => ({
      id: toolName,
      tool_id: toolId,
      tool_name: toolName,
      draft_id: null,
    })),
  );
  const ids = most.flatMap(({ client }) => splitClient(client)?.id ?? []);
  const seesAll = caller.scopes.has("audit:read") && mayDo(caller.role, "keys:oversee");
  const names = new Map(
    (await findClientNames(db, caller.workspaceId, ids))
      .filter(({ user_id: userId }) => seesAll || userId === caller.userId)
      .map(({ id, name }) => [id, name]),
  );
  return merge(
    most.map(({ client, ...rest }) => ({
      ...rest,
      ...presentClient(client, names),
      title: titles.get(rest.toolName ?? "") ?? null,
    })),
  );
}

/** Several keys of a user look the same without their names. */
function merge(usage: readonly RunUsage[]): RunUsage[] {
  const merged = new Map<string, RunUsage>();
  for (const use of usage) {
    const key = JSON.stringify([use.userId, use.client, use.clientName, use.toolName]);
    const { runs = 0, failed = 0 } = merged.get(key) ?? {};
    merged.set(key, { ...use, runs: use.runs + runs, failed: use.failed + failed });
  }
  return [...merged.values()].toSorted((a, b) => b.runs - a.runs);
}

function presentClient(
  client: string,
  names: ReadonlyMap<string, string>,
): Pick<RunUsage, "client" | "clientName"> {
  const named = splitClient(client);
  if (named === undefined) return { client: client as Via, clientName: null };
  return { client: named.kind, clientName: names.get(named.id) ?? null };
}

function splitClient(client: string): { kind: "key" | "app"; id: string } | undefined {
  const [kind, id] = client.split(":");
  return (kind === "key" || kind === "app") && id !== undefined ? { kind, id } : undefined;
}
