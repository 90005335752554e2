import type { CreateToolInput } from "@toolhost/contract";
import type { Bundle } from "#core/builds";
import type { Caller } from "#core/kernel";
import { isOwnWork } from "../approvals/approval-store.ts";
import { needsOf } from "../approvals/needs.ts";
import type { BuildingContext } from "../context.ts";
import { buildTool } from "./build-tool.ts";
import { checkDefinition } from "./check-definition.ts";
import { planNewTool } from "./create-tool.ts";
import type { PlannedSave } from "./create-tool.ts";
import type { ImportLink, ItemState } from "./import-links.ts";
import { checkMayChange } from "./tool-rights.ts";
import type { SourcedTool } from "./tool.ts";
import { planVersion } from "./update-tool.ts";

/** A definition that an import made. */
export type ImportedDefinition = {
  definition: CreateToolInput;
  link: ImportLink;
  /** The latest state of the item. The transaction must contain `lockImport`. */
  state: ItemState;
  /** The tool that it is the next version of; undefined for a new tool. */
  current?: SourcedTool | undefined;
};

/** The same, checked and built. */
export type PreparedTool = ImportedDefinition & { bundle: Bundle };

/** Checks and builds a definition. Throws `invalid_tool`, `forbidden`, `rate_limited` and `unavailable`. */
export async function prepareImported(
  context: BuildingContext,
  caller: Caller,
  imported: ImportedDefinition,
  signal?: AbortSignal,
): Promise<PreparedTool> {
  const { definition, current } = imported;
  if (current !== undefined) checkMayChange(caller, current);
  await checkDefinition(context, caller, definition);
  const bundle = await buildTool(context, caller, definition.source, signal);
  return { ...imported, bundle };
}

/**
 * Plans the save of a prepared tool, to be committed together with others. As for drafts, what a tool of others requests
 * counts as inherited.
 */
export async function planImported(
  context: BuildingContext,
  caller: Caller,
  { definition: draft, bundle, link, state, current }: PreparedTool,
): Promise<PlannedSave> {
  if (current === undefined) {
    const tool = {
      draft,
      bundle,
      imported: { link, state },
      inherited: undefined,
      isOwnWork: true,
    };
    return planNewTool(context, caller, tool);
  }
  const isOwn = await isOwnWork(context.db, { toolId: current.id, userId: caller.userId });
  const inherited = isOwn ? undefined : needsOf(draft);
  const next = { draft, bundle, imported: { link, state }, inherited, isOwnWork: isOwn };
  return planVersion(context, caller, current, next);
}
