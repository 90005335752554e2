import type { AlertCondition } from "@toolhost/contract";
import { keepVisibleNames } from "#core/catalog";
import { countRunsByTool } from "#core/stats";
import type { RunCountsByTool } from "#core/stats";
import type { AlertTable } from "#db";
import type { AlertsContext } from "./context.ts";
import { findEndingCredentials } from "./credential-store.ts";
import type { EndingCredential } from "./credential-store.ts";
import { messages } from "./messages.ts";

const minuteMs = 60_000;
const dayMs = 1_440 * minuteMs;
const maxListed = 10;

/** What a check found. */
export type Finding =
  | { isFiring: boolean; summary: string; subjects: readonly string[] }
  /** It could not be checked. */
  | { problem: string };

/** Counts that the checks of one moment share. */
export type Counts = (workspaceId: string, since: number) => Promise<RunCountsByTool | undefined>;

/** Reads each workspace's runs of a time once. Only runs that all members see count, because others read the notification. */
export function createCounts(context: AlertsContext): Counts {
  const known = new Map<string, Promise<RunCountsByTool | undefined>>();
  return (workspaceId, since) => {
    const key = `${workspaceId} ${since}`;
    const counts = known.get(key) ?? countRunsByTool(context, workspaceId, since);
    known.set(key, counts);
    return counts;
  };
}

/** Checks the condition of an alert. */
export async function evaluate(
  context: AlertsContext,
  alert: AlertTable,
  { now, counts }: { now: number; counts: Counts },
): Promise<Finding> {
  const { workspace_id: workspaceId, tool_name: toolName } = alert;
  const condition = JSON.parse(alert.condition) as AlertCondition;
  if (condition.kind === "credential") {
    const until = now + condition.days * dayMs;
    return ofCredentials(await findEndingCredentials(context.db, { workspaceId, now, until }));
  }
  if (toolName !== null && !(await isShared(context, workspaceId, toolName))) {
    return { problem: messages.hiddenTool };
  }
  const minutes = condition.kind === "no_success" ? condition.hours * 60 : condition.windowMinutes;
  const byTool = await counts(workspaceId, now - minutes * minuteMs);
  if (byTool === undefined) return { problem: messages.stillCounting };
  const { completed, failed } = sumOf(byTool, toolName);
  if (condition.kind === "no_success") {
    const summary = messages.success(completed, condition.hours);
    return { isFiring: completed === 0, summary, subjects: [] };
  }
  const ended = completed + failed;
  return {
    isFiring: ended >= condition.minRuns && failed * 100 > ended * condition.percent,
    summary: messages.failureRate(failed, ended, minutes),
    subjects: [],
  };
}

/** Whether all members of the workspace may see a tool. */
async function isShared(
  { db }: AlertsContext,
  workspaceId: string,
  toolName: string,
): Promise<boolean> {
  return (await keepVisibleNames(db, { workspaceId, userId: "" }, [toolName])).length > 0;
}

function sumOf(byTool: RunCountsByTool, toolName: string | null) {
  const counted = toolName === null ? [...byTool.values()] : [byTool.get(toolName)];
  const sum = { completed: 0, failed: 0 };
  for (const counts of counted) {
    sum.completed += counts?.completed ?? 0;
    sum.failed += counts?.failed ?? 0;
  }
  return sum;
}

function ofCredentials(ending: readonly EndingCredential[]): Finding {
  const lines = ending.slice(0, maxListed).map(describe);
  if (ending.length > maxListed) lines.push(messages.more(ending.length - maxListed));
  return {
    isFiring: ending.length > 0,
    summary: ending.length === 0 ? messages.noCredentials : lines.join(" "),
    subjects: ending.map(({ id }) => id),
  };
}

function describe({ kind, name, expires_at: expiresAt }: EndingCredential): string {
  const date = new Date(expiresAt ?? 0).toISOString().slice(0, 10);
  if (kind === "key") return messages.keyExpires(name, date);
  if (kind === "expires") return messages.tokenExpires(name, date);
  return kind === "reconnect" ? messages.mustReconnect(name) : messages.refreshFails(name);
}
