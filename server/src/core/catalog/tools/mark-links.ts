import { sql } from "kysely";
import type { CompiledQuery } from "kysely";
import type { Database, TransactionStep } from "#db";

/** In `tools.pinned_hash`: no version may run, because it is unknown what the MCP server offers. */
export const uncheckedHash = "unchecked";

type Marking = {
  importId: string;
  /** The hashes of items by key. Items that are missing were removed. */
  hashes: ReadonlyMap<string, string>;
  /** Whether runs are refused while a tool differs from its item. */
  isPinned: boolean;
};

/** Records the latest state of the items of an import for all tools that came from it, and counts those that changed. */
export async function markLinkedTools(
  { kysely }: Database,
  { importId, hashes, isPinned }: Marking,
): Promise<{ steps: TransactionStep[]; changed: number }> {
  const rows = await kysely
    .selectFrom("tool_imports")
    .select(["tool_id", "item_key", "latest_hash"])
    .where("import_id", "=", importId)
    .execute();
  const changed = rows
    .map((row) => ({ ...row, hash: hashes.get(row.item_key) ?? "" }))
    .filter(({ hash, latest_hash: known }) => hash !== known)
    .map(({ tool_id: toolId, hash }) =>
      kysely
        .updateTable("tool_imports")
        .set({ latest_hash: hash })
        .where("tool_id", "=", toolId)
        .where("import_id", "=", importId)
        .compile(),
    );
  const steps = isPinned ? [...changed, pinLatest(kysely, importId)] : changed;
  return { steps, changed: changed.length };
}

function pinLatest(kysely: Database["kysely"], importId: string): CompiledQuery {
  const latest = sql<string>`(select link.latest_hash from tool_imports as link
    where link.tool_id = tools.id)`;
  return kysely
    .updateTable("tools")
    .set({ pinned_hash: latest })
    .where("id", "in", (from) =>
      from.selectFrom("tool_imports").select("tool_id").where("import_id", "=", importId),
    )
    .compile();
}

/** Puts all tools of an import on hold until the next successful check. */
export function holdUnchecked({ kysely }: Database, importId: string): CompiledQuery {
  return kysely
    .updateTable("tools")
    .set({ pinned_hash: uncheckedHash })
    .where("id", "in", (from) =>
      from.selectFrom("tool_imports").select("tool_id").where("import_id", "=", importId),
    )
    .compile();
}

/** Ends the links of an import's tools. Versions that may not run still may not. */
export function unlinkTools({ kysely }: Database, importId: string): CompiledQuery {
  return kysely.deleteFrom("tool_imports").where("import_id", "=", importId).compile();
}
