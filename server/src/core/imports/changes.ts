import type {
  ApplyImportChangesInput,
  CreateToolInput,
  ImportChange,
  ImportedTool,
  JsonObject,
} from "@toolhost/contract";
import {
  findGenerated,
  findLinkedTools,
  findToolToChange,
  hashDefinition,
  normalizeDefinition,
  planArchive,
} from "#core/catalog";
import type { ImportOptions, LinkedTool, SourcedTool } from "#core/catalog";
import { findChangeDrafts } from "#core/drafts";
import type { Caller } from "#core/kernel";
import { auditInsert, retryWrite, ServiceError } from "#core/kernel";
import { sha256 } from "#lib/hash";
import { cutPage } from "#lib/page";
import { changedSinceReview } from "./changed-meanwhile.ts";
import type { ImportsContext } from "./context.ts";
import { findImport } from "./imports.ts";
import { makeTools } from "./make-tools.ts";
import type { MadeTool } from "./make-tools.ts";
import { compareSides, mergeSides } from "./merge-edits.ts";
import { saveTools } from "./save-tools.ts";
import type { Candidate } from "./save-tools.ts";
import type { ImportRow } from "./import-store.ts";

/** A tool that differs from its item, with what the item makes now. */
type Difference = {
  tool: LinkedTool;
  current: SourcedTool;
  made: MadeTool | undefined;
  /** What the import made before, if that is stored. */
  generated: CreateToolInput | undefined;
  /** The caller's draft of this change. */
  draftId: string | undefined;
};

const removedHash = "removed";

/** A page of the tools that differ from the last check, with both definitions; with `toolName` only this tool. Throws `not_found`. */
export async function listChanges(
  context: ImportsContext,
  caller: Caller,
  id: string,
  page: { limit: number; after: string | undefined; toolName: string | undefined },
): Promise<{ changes: ImportChange[]; next: string | undefined }> {
  const row = await findImport(context, caller, id);
  const changed = (await findChanged(context, caller, id)).filter(
    ({ tool_id: toolId, name }) =>
      (page.after === undefined || toolId > page.after) &&
      (page.toolName === undefined || name === page.toolName),
  );
  const { shown, next } = cutPage(changed, page.limit, ({ tool_id: toolId }) => toolId);
  const differences = await compare(context, caller, row, shown);
  return { changes: differences.map(presentChange), next };
}

async function findChanged({ db }: ImportsContext, caller: Caller, id: string) {
  return (await findLinkedTools(db, caller, id))
    .filter(({ item_hash: approved, latest_hash: latest }) => approved !== latest)
    .toSorted((a, b) => (a.tool_id < b.tool_id ? -1 : 1));
}

async function compare(
  context: ImportsContext,
  caller: Caller,
  row: ImportRow,
  tools: readonly LinkedTool[],
): Promise<Difference[]> {
  const existing = tools.filter(({ latest_hash: latest }) => latest !== "");
  const wanted = existing.map((tool) => ({ key: tool.item_key, options: optionsOf(tool) }));
  const made = await makeTools(context, row, wanted);
  const toolIds = tools.map(({ tool_id: id }) => id);
  const generated = await findGenerated(context.db, caller, toolIds);
  const madeOf = new Map(existing.map((tool, index) => [tool.tool_id, made[index]]));
  const drafts = await findChangeDrafts(context, caller, row.id);
  const draftOf = ({ tool_id: toolId, latest_hash: latest }: LinkedTool) => {
    const draft = drafts.get(toolId);
    return draft?.itemHash === latest ? draft.draftId : undefined;
  };
  return Promise.all(
    tools.map(async (tool) => ({
      tool,
      current: await findToolToChange(context, caller, tool.name),
      made: madeOf.get(tool.tool_id),
      generated: generated.get(tool.tool_id),
      draftId: draftOf(tool),
    })),
  );
}

function presentChange(difference: Difference): ImportChange {
  const { tool, current, made } = difference;
  const before = definitionOf(current);
  const isToolEdited = isEdited(difference);
  const isMade = made !== undefined && !("problem" in made);
  const sides = isMade ? sidesOf(difference, made.definition) : undefined;
  const problems = made !== undefined && "problem" in made ? [made.problem] : [];
  return {
    key: tool.item_key,
    kind: made === undefined ? "removed" : "changed",
    toolName: tool.name,
    isEdited: isToolEdited,
    isOnHold: tool.pinned_hash !== null && tool.pinned_hash !== tool.item_hash,
    hash: hashOf(difference),
    before: before as JsonObject,
    after: (sides?.changed ?? null) as JsonObject | null,
    generated: (isToolEdited ? (sides?.generated ?? null) : null) as JsonObject | null,
    parts: sides === undefined ? [] : compareSides(sides),
    draftId: difference.draftId ?? null,
    notes: isMade ? made.notes : problems,
  };
}

function isEdited({ tool, current }: Pick<Difference, "tool" | "current">): boolean {
  return hashDefinition(definitionOf(current)) !== tool.definition_hash;
}

/** The definitions to compare. What was generated of a tool that was not edited is its live version. */
function sidesOf(difference: Difference, made: CreateToolInput) {
  const { current } = difference;
  const edited = definitionOf(current);
  const stored = difference.generated && keepOwn(difference.generated, current);
  return {
    generated: isEdited(difference) ? stored : edited,
    edited,
    changed: keepOwn(made, current),
  };
}

/** Identifies what was reviewed: what applying a change publishes, and the live version that it replaces. */
function hashOf({ tool, current, made }: Difference): string {
  const live = hashDefinition(definitionOf(current));
  if (made === undefined) return sha256(`${removedHash} ${live}`);
  return sha256(`${"problem" in made ? tool.latest_hash : made.hash} ${live}`);
}

function definitionOf(tool: SourcedTool): CreateToolInput {
  const { title, description, visibility, source, definition } = tool;
  return { title, description, visibility, source, ...definition };
}

/** The definition as saving it stores it. An item says nothing about who may see a tool. */
function keepOwn(made: CreateToolInput, { visibility }: SourcedTool): CreateToolInput {
  const { title, description, visibility: _, source, ...definition } = made;
  return { title, description, visibility, source, ...normalizeDefinition(definition) };
}

function optionsOf({ options }: LinkedTool): ImportOptions {
  return JSON.parse(options) as ImportOptions;
}

/**
 * Publishes changes that the caller reviewed, or creates drafts of them; tools of removed items are archived. Changes that
 * were changed again since are in the result with a problem. Throws `not_found`, `forbidden`, `quota_exceeded`, `draft_limit`,
 * `rate_limited` and `unavailable`.
 */
export async function applyChanges(
  context: ImportsContext,
  caller: Caller,
  id: string,
  input: Input,
): Promise<ImportedTool[]> {
  const results = await retryWrite(async () => applyOnce(context, caller, id, input));
  if (results === undefined) {
    throw new ServiceError(
      "unavailable",
      "The import or one of its tools was changed at the same time. Review the changes again.",
      { retryAfterSeconds: 1 },
    );
  }
  return results;
}

type Input = ApplyImportChangesInput & { signal?: AbortSignal | undefined };

/** Undefined if the import or one of the tools changed at the same time. */
async function applyOnce(
  context: ImportsContext,
  caller: Caller,
  id: string,
  { changes, publish, signal }: Input,
): Promise<ImportedTool[] | undefined> {
  const row = await findImport(context, caller, id);
  const reviewed = new Set(changes.map(({ toolName }) => toolName));
  const tools = (await findChanged(context, caller, id)).filter(({ name }) => reviewed.has(name));
  const byName = new Map(
    (await compare(context, caller, row, tools)).map((one) => [one.tool.name, one]),
  );
  const candidates: Candidate[] = [];
  for (const review of changes) {
    const { toolName } = review;
    const candidate = candidateOf(byName.get(toolName), { ...review, publish });
    if (candidate !== "removed") candidates.push(candidate);
    else candidates.push(await archivalOf(context, caller, { toolName, publish }));
  }
  const also = [
    auditInsert(context, caller, {
      action: "import.apply_changes",
      target: id,
      // The log is read by members who do not see private tools, so it has no counts.
      details: { publish },
    }),
  ];
  return saveTools(context, caller, candidates, { row, publish, also, signal });
}

type Review = ApplyImportChangesInput["changes"][number];

const editedProblem =
  "The tool was edited. Create a draft with the change, or send `discardEdits` to replace the edits.";

const draftedProblem =
  "You have a draft of this change. Publish the draft, or delete it to create another.";

function candidateOf(
  found: Difference | undefined,
  { toolName, hash, publish, discardEdits, picks }: Review & { publish: boolean },
): Candidate | "removed" {
  if (found === undefined) return { key: toolName, problem: "It has no change." };
  const { tool, current, made, draftId } = found;
  const key = tool.item_key;
  if (hash !== hashOf(found)) {
    return { key, problem: changedSinceReview };
  }
  if (made === undefined) return "removed";
  if ("problem" in made) return made;
  if (!publish && draftId !== undefined) return { key, toolName, draftId, problem: draftedProblem };
  const sides = sidesOf(found, made.definition);
  const save = { ...made, options: optionsOf(tool), current, generated: sides.changed };
  if (!isEdited(found) || (publish && discardEdits)) return { ...save, definition: sides.changed };
  if (publish) return { key, toolName, problem: editedProblem };
  const merged = mergeSides(sides, picks);
  if ("definition" in merged) return { ...save, definition: merged.definition };
  const open = merged.open.map((part) => `\`${part}\``).join(", ");
  return {
    key,
    toolName,
    problem: `Both sides changed ${open}. Choose one of each with \`picks\`.`,
  };
}

async function archivalOf(
  context: ImportsContext,
  caller: Caller,
  { toolName, publish }: { toolName: string; publish: boolean },
): Promise<Candidate> {
  if (!publish) {
    const problem =
      "It was removed, so there is nothing to draft. Publish the change to archive it.";
    return { key: toolName, problem };
  }
  return { key: toolName, toolName, archive: await planArchive(context, caller, toolName) };
}
