import type { CreateToolInput, ImportedTool, JsonObject } from "@toolhost/contract";
import {
  hashDefinition,
  lockImport,
  planImported,
  prepareImported,
  requireNoTool,
} from "#core/catalog";
import type {
  ImportLink,
  ImportOptions,
  ItemState,
  PreparedTool,
  SourcedTool,
} from "#core/catalog";
import { countFreeDrafts, planDraft, requireNoDraft } from "#core/drafts";
import type { Caller } from "#core/kernel";
import { commitWrite, ServiceError } from "#core/kernel";
import { capReached } from "#core/limits";
import type { TransactionStep } from "#db";
import type { ImportsContext } from "./context.ts";
import type { ImportRow } from "./import-store.ts";

/** A tool to save or to archive, or why neither is possible. */
export type Candidate =
  | {
      key: string;
      hash: string;
      definition: CreateToolInput;
      notes: string[];
      options: ImportOptions;
      /** The tool that it is the next version of; undefined for a new tool. */
      current?: SourcedTool | undefined;
      /** The transaction is rolled back if another request has made a tool or a draft of the item. */
      isUnique?: boolean;
      /** What the import made, if edits are merged into the definition. */
      generated?: CreateToolInput;
    }
  | { key: string; toolName: string; archive: TransactionStep[] }
  /** With the tool or draft that exists already, if that is the problem. */
  | { key: string; problem: string; toolName?: string; draftId?: string };

type Save = {
  /** The import, as it was read to make the tools. */
  row: ImportRow;
  publish: boolean;
  /** Steps in the same transaction. */
  also: readonly TransactionStep[];
  signal?: AbortSignal | undefined;
};

/**
 * Saves tools or drafts in one transaction: all that are valid, and as many drafts as the limit of the caller allows. The others are in the result with their problem. Undefined if
 * something was changed at the same time, and nothing was saved.
 */
export async function saveTools(
  context: ImportsContext,
  caller: Caller,
  candidates: readonly Candidate[],
  { row, publish, also, signal }: Save,
): Promise<ImportedTool[] | undefined> {
  const results: ImportedTool[] = [];
  const steps: TransactionStep[] = [];
  const freeDrafts = publish ? Infinity : await countFreeDrafts(context, caller);
  let drafted = 0;
  for (const candidate of candidates) {
    const { key } = candidate;
    if ("problem" in candidate) {
      results.push({ ...failed(key, candidate.problem), ...candidate });
      continue;
    }
    if ("archive" in candidate) {
      steps.push(...candidate.archive);
      const { toolName } = candidate;
      results.push({ key, toolName, draftId: null, notes: [archivedNote], problem: null });
      continue;
    }
    // Without any free draft, the transaction is refused with the same error.
    if (!publish && freeDrafts > 0 && drafted >= freeDrafts) {
      const limit = capReached("drafts", context.config.USER_MAX_DRAFTS);
      results.push(failed(key, limit.message));
      continue;
    }
    const { definition, hash, options, notes, current, generated = definition } = candidate;
    const definitionHash = hashDefinition(generated);
    const link: ImportLink = { importId: row.id, key, hash, options, definitionHash, generated };
    // The definition was made from the items as they were read, which `lockImport` checks.
    const state = { latestHash: hash, isPinned: row.kind === "mcp", importHash: row.hash };
    const saved = publish
      ? await publishOne(context, caller, { definition, link, state, current, signal })
      : draftOne(context, caller, { definition, link, current, row });
    if ("problem" in saved) {
      results.push(failed(key, saved.problem));
      continue;
    }
    if (candidate.isUnique === true) {
      steps.push(requireNoTool(context.db, caller, link), requireNoDraft(context, caller, link));
    }
    steps.push(...saved.steps);
    drafted += 1;
    results.push({ key, notes, problem: null, ...saved.names });
  }
  const lock = lockImport(context.db, { importId: row.id, importHash: row.hash });
  const isSaved = await commitWrite(context, caller, results, [lock, ...steps, ...also]);
  return isSaved ? results : undefined;
}

const archivedNote = "The tool is archived, because the item was removed.";

function failed(key: string, problem: string): ImportedTool {
  return { key, toolName: null, draftId: null, notes: [], problem };
}

type One = {
  definition: CreateToolInput;
  link: ImportLink;
  current: SourcedTool | undefined;
};
type Saved =
  | { steps: TransactionStep[]; names: Pick<ImportedTool, "toolName" | "draftId"> }
  | { problem: string };

async function publishOne(
  context: ImportsContext,
  caller: Caller,
  { signal, ...one }: One & { state: ItemState; signal: AbortSignal | undefined },
): Promise<Saved> {
  let prepared: PreparedTool;
  try {
    prepared = await prepareImported(context, caller, one, signal);
  } catch (error) {
    if (error instanceof ServiceError && error.code === "invalid_tool") {
      return { problem: error.message };
    }
    throw error;
  }
  const { saved, steps } = await planImported(context, caller, prepared);
  return { steps, names: { toolName: saved.name, draftId: null } };
}

function draftOne(
  context: ImportsContext,
  caller: Caller,
  { definition, link, current, row }: One & { row: ImportRow },
): Saved {
  const { created, steps } = planDraft(context, caller, {
    tool: current,
    isOwn: true,
    definition: definition as JsonObject,
    importLink: link,
    origin: { id: row.id, title: row.custom_title ?? row.title, key: link.key },
  });
  return { steps, names: { toolName: current?.name ?? null, draftId: created.id } };
}
