import type { ListToolSummariesQuery, ToolSummary } from "@toolhost/contract";
import { listToolSummaryRows } from "#core/catalog";
import type { ToolSummaryRow } from "#core/catalog";
import type { Caller } from "#core/kernel";
import { toTimestamp, toTimestampOrNull } from "#lib/clock";
import type { ToolListsContext } from "./context.ts";
import { getPreferences } from "./preferences.ts";
import { countRecentRuns, findTags } from "./tool-list-store.ts";
import type { RunCount } from "./tool-list-store.ts";

const days = 7;
const dayMs = 86_400_000;

type Page = { offset: number; limit: number };
type Filters = Omit<ListToolSummariesQuery, "limit" | "cursor">;

/** A page of the tools that the caller may see, with the offset of the next one. */
export async function getToolSummaries(
  { db, clock }: ToolListsContext,
  caller: Caller,
  filters: Filters,
  { offset, limit }: Page,
): Promise<{ tools: ToolSummary[]; next: number | undefined }> {
  const today = Math.floor(clock.now() / dayMs);
  const [rows, tags, counts, { favorites }] = await Promise.all([
    listToolSummaryRows(db, caller),
    findTags(db, caller.workspaceId),
    countRecentRuns(db, caller, (today - days + 1) * dayMs),
    getPreferences({ db }, caller),
  ]);
  const tagsOf = Map.groupBy(tags, (row) => row.tool_id);
  const countsOf = Map.groupBy(counts, (row) => row.tool_id);
  const names = new Set(favorites);
  const all = rows.map((row): Listed => {
    const own = countsOf.get(row.id) ?? [];
    return {
      tool: present(caller, row, {
        tags: (tagsOf.get(row.id) ?? []).map(({ tag }) => tag),
        isFavorite: names.has(row.name),
        counts: own,
        today,
      }),
      lastRunAt: latest(own),
      lastOwnRunAt: latest(own.filter(({ is_own: isOwn }) => isOwn === 1)),
    };
  });
  const found = sort(
    all.filter((listed) => matches(listed, filters)),
    filters,
  );
  const end = offset + limit;
  return {
    tools: found.slice(offset, end).map(({ tool }) => tool),
    next: end < found.length ? end : undefined,
  };
}

type Listed = {
  tool: ToolSummary;
  lastRunAt: number | null;
  /** Of the caller. */
  lastOwnRunAt: number | null;
};

function latest(counts: readonly RunCount[]): number | null {
  return counts.length === 0 ? null : Math.max(...counts.map((row) => row.last_at));
}

const sum = (counts: readonly RunCount[]) => counts.reduce((all, { runs }) => all + runs, 0);

type Facts = {
  tags: string[];
  isFavorite: boolean;
  counts: readonly RunCount[];
  today: number;
};

function present(
  caller: Caller,
  row: ToolSummaryRow,
  { tags, isFavorite, counts, today }: Facts,
): ToolSummary {
  const isInstalled = row.workspace_id !== caller.workspaceId;
  const ended = (status: string) => sum(counts.filter((count) => count.status === status));
  return {
    name: row.name,
    title: row.title,
    description: row.description,
    visibility: row.visibility as ToolSummary["visibility"],
    ...(isInstalled ? { installed: true } : {}),
    ...(!isInstalled && row.owner_user_id === caller.userId ? { mine: true } : {}),
    ...(isInstalled && row.live_version !== row.version
      ? { update: { version: row.live_version } }
      : {}),
    ownerId: isInstalled ? null : row.owner_user_id,
    tags,
    isFavorite,
    updatedAt: toTimestamp(row.updated_at),
    lastRunAt: toTimestampOrNull(latest(counts)),
    runs: {
      completed: ended("completed"),
      failed: ended("failed"),
      perDay: Array.from({ length: days }, (_, at) =>
        sum(counts.filter(({ day }) => day === today - days + 1 + at)),
      ),
    },
  };
}

function matches(
  { tool, lastRunAt, lastOwnRunAt }: Listed,
  { origin, tag, owner, visibility, state }: Filters,
): boolean {
  const { completed, failed } = tool.runs;
  const ofOrigin: Record<NonNullable<Filters["origin"]>, boolean> = {
    mine: tool.mine === true,
    shared: tool.mine !== true && tool.installed !== true,
    installed: tool.installed === true,
    favorites: tool.isFavorite,
    recent: lastOwnRunAt !== null,
  };
  const inState: Record<NonNullable<Filters["state"]>, boolean> = {
    failing: failed > 0 && failed >= completed,
    unused: lastRunAt === null,
    update: tool.update !== undefined,
  };
  return (
    (origin === undefined || ofOrigin[origin]) &&
    (tag === undefined || tool.tags.some((one) => one === tag || one.startsWith(`${tag}/`))) &&
    (owner === undefined || tool.ownerId === owner) &&
    (visibility === undefined || tool.visibility === visibility) &&
    (state === undefined || inState[state])
  );
}

/** Newest first, unless another order is given. What was run recently starts with the latest run of the caller. */
function sort(found: Listed[], { sort: by, origin }: Filters): Listed[] {
  if (by === "name") {
    const { compare } = new Intl.Collator("en", { numeric: true });
    return found.toSorted((a, b) => compare(a.tool.title, b.tool.title));
  }
  if (by === "newest" && origin !== "recent") return found;
  const valueOf = ({ tool, lastRunAt, lastOwnRunAt }: Listed): number => {
    const { completed, failed } = tool.runs;
    if (by === "newest") return lastOwnRunAt ?? 0;
    if (by === "updated") return Date.parse(tool.updatedAt);
    if (by === "last-run") return lastRunAt ?? 0;
    if (by === "runs") return completed + failed;
    return completed + failed === 0 ? -1 : completed / (completed + failed);
  };
  return found.toSorted((a, b) => valueOf(b) - valueOf(a));
}
