import { randomInt } from "node:crypto";
import { capReached } from "#core/limits";
import type { Database, Insert, SqlValue } from "#db";
import type { RunsContext } from "../context.ts";

/** How long a sum may be used, far from the limit and near it, since other nodes add to it too. */
const freshMs = { far: 10_000, near: 1_000 };
/** From this part of the limit on, the sweep deletes the oldest runs to make room. */
export const nearQuota = 0.9;

/**
 * Throws `quota_exceeded` when the stored runs of the workspace have reached its limit. The sum is cached, so runs that were
 * accepted before may still exceed the limit.
 */
export async function checkStorageQuota(context: RunsContext, workspaceId: string): Promise<void> {
  const { config, db } = context;
  const { storedBytes } = context.runs;
  const max = config.WORKSPACE_MAX_RUN_BYTES;
  if (max === 0) return;
  let known = storedBytes.get(workspaceId);
  const usableMs = (known?.bytes ?? 0) < max * nearQuota ? freshMs.far : freshMs.near;
  if (known === undefined || performance.now() - known.readAt >= usableMs) {
    const readAt = performance.now();
    known = { bytes: await sumRunBytes(db, workspaceId), readAt };
    storedBytes.set(workspaceId, known);
  }
  if (known.bytes >= max) throw capReached("run-bytes", max);
}

/** Adds what a run of this node has stored to the cached sum. */
export function addStoredBytes(
  { runs: { storedBytes } }: RunsContext,
  workspaceId: string,
  bytes: number,
): void {
  const known = storedBytes.get(workspaceId);
  if (known !== undefined) known.bytes += bytes;
}

const sumBytes = {
  name: "sum_run_bytes",
  text: `select cast(coalesce(sum(bytes), 0) as bigint) as bytes from run_bytes where workspace_id = ?`,
};

/** The bytes of a workspace's runs that have ended. */
export async function sumRunBytes(db: Database, workspaceId: string): Promise<number> {
  const [row] = await db.query<{ bytes: number }>(sumBytes, [workspaceId]);
  return row?.bytes ?? 0;
}

/** The bytes of a run's own row. Neither database reads a long text for its length. */
export const ownBytes =
  "octet_length(input) + coalesce(octet_length(output), 0) + coalesce(octet_length(error), 0)";

const logBytes =
  "coalesce(sum(octet_length(body)), 0) from run_logs where run_id = ? and chunk <> ?";

/**
 * Counts a run's bytes in the statement that writes its end; `guard` is that run. The last log chunk is written by the same
 * statement, so its size is a value, and an earlier attempt to store it is left out.
 */
export const newRunBytes = {
  table: "run_bytes",
  columns: [
    { name: "workspace_id", postgres: "?::text", sqlite: "?" },
    { name: "shard", postgres: "?::integer", sqlite: "?" },
    {
      name: "bytes",
      postgres: `(select bytes from guard where id = ?) + ?::bigint + (select ${logBytes})::bigint`,
      sqlite: `(select ${ownBytes} from runs where id = ?) + ? + (select ${logBytes})`,
    },
  ],
  addTo: { key: ["workspace_id", "shard"], column: "bytes" },
} as const satisfies Insert;

/** Runs of a workspace that end at the same time block each other only when they have the same shard. */
const shards = 64;
/** With more nodes, some have the same shards. */
const maxGroups = 8;
let turn = randomInt(shards);

/** The shard of a run that ends on this node. Nodes have different ones, and each uses its own in turn. */
export function nextShard({ db, cluster }: Pick<RunsContext, "db" | "cluster">): number {
  if (db.dialect === "sqlite") return 0;
  const groups = Math.min(cluster.size, maxGroups);
  turn = (turn + 1) % Math.floor(shards / groups);
  return (cluster.rank % groups) + groups * turn;
}

/** Values for {@link newRunBytes}. */
export function newRunBytesValues(
  { workspaceId, shard, runId }: { workspaceId: string; shard: number; runId: string },
  log: { chunk: number; body: Buffer } | undefined,
): SqlValue[] {
  return [workspaceId, shard, runId, log?.body.length ?? 0, runId, log?.chunk ?? -1];
}
