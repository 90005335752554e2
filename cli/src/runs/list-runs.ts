import type { RunSummary } from "@toolhost/client";
import type { Session } from "../session.ts";
import { usageError } from "../terminal/cli-error.ts";
import { styled, toLine, toTable } from "../terminal/text.ts";
import { findToolName } from "./find-tool.ts";

type Status = "running" | "completed" | "failed" | "cancelled";
export type RunsFlags = {
  failed?: boolean;
  status?: Status;
  since?: string;
  tool?: string;
  limit: string;
};

const maxLimit = 1_000;
const maxErrorLength = 80;

/** Lists runs, newest first. */
export async function listRuns(session: Session, flags: RunsFlags): Promise<void> {
  const { terminal } = session;
  const limit = parseLimit(flags.limit);
  const since = flags.since === undefined ? undefined : parseSince(flags.since, Date.now());
  const status = flags.failed === true ? "failed" : flags.status;
  const { client } = await session.connect();
  const toolName =
    flags.tool === undefined ? undefined : await findToolName(session, client, flags.tool);
  const query = {
    limit: Math.min(limit, 200),
    ...(status === undefined ? {} : { status }),
    ...(since === undefined ? {} : { since }),
    ...(toolName === undefined ? {} : { toolName }),
  };
  const found: RunSummary[] = [];
  for await (const run of client.runs.list(query)) {
    found.push(run);
    if (found.length >= limit) break;
  }
  terminal.result(found, () =>
    found.length === 0 ? "No runs." : toTable(found.map((run) => rowOf(run))),
  );
}

function rowOf(run: RunSummary): string[] {
  const { runId, toolName, status, createdAt, durationMs, error } = run;
  const color = {
    completed: "green",
    failed: "red",
    cancelled: "yellow",
    running: "cyan",
  } as const;
  return [
    runId,
    `${createdAt.slice(0, 19).replace("T", " ")}Z`,
    styled(color[status], status),
    durationMs === null ? "" : `${Math.round(durationMs)} ms`,
    // The name of a draft is its ID.
    run.draft ? styled("dim", "(draft)") : toolName,
    error === undefined ? "" : toLine(`${error.code}: ${error.message}`, maxErrorLength),
  ];
}

function parseLimit(text: string): number {
  const limit = Number(text);
  if (Number.isSafeInteger(limit) && limit >= 1 && limit <= maxLimit) return limit;
  throw usageError(`--limit must be a number from 1 to ${maxLimit}.`);
}

const unitMs: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

/** A duration before now, or a time, as RFC 3339 in UTC. */
export function parseSince(text: string, now: number): string {
  const [, count, unit] = /^(\d{1,6})(s|m|h|d|w)$/.exec(text) ?? [];
  const ms =
    count === undefined ? Date.parse(text) : now - Number(count) * (unitMs[unit ?? ""] ?? 0);
  if (Number.isNaN(ms)) throw usageError("--since must be such as 30m, 1h or 7d, or a time.");
  return new Date(ms).toISOString();
}
