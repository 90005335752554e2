import { toolNamePattern } from "@toolhost/contract";
import { findUsedTool, listToolSummaryRows } from "#core/catalog";
import { auditInsert, commitWrite, lostKey, notFound } from "#core/kernel";
import type { Caller } from "#core/kernel";
import type { ToolListsContext } from "./context.ts";
import { findTags, replaceTags } from "./tool-list-store.ts";

/** Replaces the tags of a tool in the caller's workspace. Throws `tool_not_found`. */
export async function setTags(
  context: ToolListsContext,
  caller: Caller,
  name: string,
  given: readonly string[],
): Promise<{ tags: string[] }> {
  const { db } = context;
  const found = toolNamePattern.test(name) ? await findUsedTool(db, caller, name) : undefined;
  if (found === undefined) throw notFound("tool_not_found", "tool", { name });
  const tags = [...new Set(given)].toSorted();
  const { workspaceId } = caller;
  const isChanged = await commitWrite(context, caller, { tags }, [
    ...replaceTags(db, { workspaceId, toolId: found.id }, tags),
    auditInsert(context, caller, {
      action: "tool.tag",
      target: name,
      details: { tags: tags.join(" ") },
    }),
  ]);
  if (!isChanged) throw lostKey();
  return { tags };
}

/** The tags of the tools that the caller may see, in alphabetical order. */
export async function listTags(
  { db }: ToolListsContext,
  caller: Caller,
): Promise<{ tags: string[] }> {
  const rows = await findTags(db, caller.workspaceId);
  if (rows.length === 0) return { tags: [] };
  const visible = new Set((await listToolSummaryRows(db, caller)).map(({ id }) => id));
  const tags = rows.filter((row) => visible.has(row.tool_id)).map(({ tag }) => tag);
  return { tags: [...new Set(tags)].toSorted() };
}
