import type {
  CreateToolInput,
  ExampleResults,
  ToolDetail,
  ToolSource,
  ToolVersion,
} from "@toolhost/contract";
import type { Caller } from "#core/kernel";
import type { AuthoringContext } from "../context.ts";
import type { ToolVersionTable } from "#db";
import { toTimestamp } from "#lib/clock";
import { newId } from "#lib/ids";
import type { Bundle } from "#core/builds";
import { normalizeDefinition, presentToolDetail, readDefinition } from "./tool.ts";
import type { SourcedTool } from "./tool.ts";

/** A definition as versions store it, as JSON: the code, and the rest without fields of the tool itself. */
export function splitDraft(draft: CreateToolInput): { source: string; rest: string } {
  const { visibility: _, source, ...rest } = draft;
  return { source: JSON.stringify(source), rest: JSON.stringify(rest) };
}

/** The row of a new version. */
export function versionRow(
  caller: Caller,
  place: {
    toolId: string;
    version: number;
    now: number;
    isOwnWork: boolean;
    itemHash: string | null;
  },
  draft: CreateToolInput,
  bundle: Bundle,
): ToolVersionTable {
  const { title, description, visibility: _, source, ...definition } = draft;
  const texts = {
    title,
    description,
    definition: JSON.stringify(normalizeDefinition(definition)),
    source: JSON.stringify(source),
    bundle: bundle.code,
    source_map: bundle.sourceMap,
  };
  return {
    ...texts,
    id: newId(),
    tool_id: place.toolId,
    workspace_id: caller.workspaceId,
    version: place.version,
    bundle_hash: bundle.hash,
    created_by: caller.userId,
    created_at: place.now,
    restored_from: null,
    item_hash: place.itemHash,
    example_results: null,
    vouched: place.isOwnWork && caller.scopes.has("credentials:write") ? 1 : 0,
    size: Object.values(texts).reduce((sum, text) => sum + Buffer.byteLength(text), 0),
  };
}

type Content = Pick<
  ToolVersionTable,
  "version" | "title" | "description" | "definition" | "source"
>;

/** Columns of a version that complete the row of its tool. */
export function contentOf(row: ToolVersionTable): Content {
  const { version, title, description, definition, source } = row;
  return { version, title, description, definition, source };
}

type VersionSummary = Pick<
  ToolVersionTable,
  | "version"
  | "title"
  | "description"
  | "created_at"
  | "created_by"
  | "restored_from"
  | "example_results"
>;

/** A version as shown in lists. */
export function presentVersion(row: VersionSummary, live: { version: number }): ToolVersion {
  const [last] = readExampleResults(row);
  return {
    version: row.version,
    title: row.title,
    description: row.description,
    live: row.version === live.version,
    createdAt: toTimestamp(row.created_at),
    createdBy: row.created_by,
    restoredFrom: row.restored_from,
    ...(last === undefined
      ? {}
      : {
          examples: {
            at: last.at,
            passed: last.passed,
            failed: last.failed,
            skipped: last.skipped,
          },
        }),
  };
}

/** The stored results of running the examples of a draft or version, newest first. */
export function readExampleResults({
  example_results: text,
}: Pick<ToolVersionTable, "example_results">): ExampleResults[] {
  return text === null ? [] : (JSON.parse(text) as ExampleResults[]);
}

/** The tool with a version that has just become live. */
export function withVersion(
  context: AuthoringContext,
  caller: Caller,
  current: SourcedTool,
  row: ToolVersionTable,
): ToolDetail {
  const { version, title, description } = row;
  const record: SourcedTool = {
    ...current,
    version,
    liveVersion: version,
    title,
    description,
    definition: readDefinition(row.definition),
    source: JSON.parse(row.source) as ToolSource,
    updatedAt: row.created_at,
  };
  return presentToolDetail(caller, record, context.config.baseUrl);
}
