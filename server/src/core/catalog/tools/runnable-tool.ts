import { toolNamePattern } from "@toolhost/contract";
import type { ToolSource } from "@toolhost/contract";
import type { Caller } from "#core/kernel";
import type { CatalogContext } from "../context.ts";
import { toolNotFound } from "./get-tool.ts";
import { prepareSchema } from "#core/validation";
import type { InputSchema } from "#core/validation";
import type { ToolVersionTable } from "#db";
import { findDraftBuild } from "./draft-version-store.ts";
import { findUsedTool, findVersion } from "./tool-store.ts";
import { readDefinition } from "./tool.ts";
import type { ToolDefinition } from "./tool.ts";

/** What running a tool needs of one version, ready for use. A version never changes, so it may be kept. */
export type RunnableTool = {
  id: string;
  name: string;
  version: number;
  /** Whose tool it is: a public one also runs in workspaces that did not make it. */
  workspaceId: string;
  definition: Pick<
    ToolDefinition,
    | "outputSchema"
    | "fileFields"
    | "credentials"
    | "allowedHosts"
    | "isolation"
    | "timeoutMs"
    | "limits"
    | "confirm"
  >;
  inputSchema: InputSchema;
  bundle: { id: string; module: string };
  sourceMap: string;
  sourceFile: string;
  /** Of a version of a draft, whose id is the draft's: the tool that it changes. */
  draft?: { toolId: string | null };
};

/** The version of a tool that the caller's workspace uses, for one run. Throws `tool_not_found`. */
export async function findRunnableTool(
  context: CatalogContext,
  caller: Pick<Caller, "workspaceId" | "userId">,
  name: string,
): Promise<RunnableTool> {
  return (await findToolToRun(context, caller, name)).tool;
}

/** The same, and whether the tool is private: then what comes of the run is its author's alone. */
export async function findToolToRun(
  context: CatalogContext,
  caller: Pick<Caller, "workspaceId" | "userId">,
  name: string,
): Promise<{ tool: RunnableTool; isPrivate: boolean }> {
  const used = toolNamePattern.test(name)
    ? await findUsedTool(context.db, caller, name)
    : undefined;
  if (used === undefined) {
    throw await toolNotFound(context, caller, name);
  }
  const { id, version, visibility } = used;
  const tool = await findRunnableVersion(context, { id, name, version });
  return { tool, isPrivate: visibility === "private" };
}

/** `isDraft`: the id is a draft's. */
type Place = { id: string; name: string; version: number; isDraft?: boolean };

/** One version of a tool, live or not: for a run that was accepted when it was. */
export async function findRunnableVersion(
  context: CatalogContext,
  place: Place,
): Promise<RunnableTool> {
  const key = `${place.id}:${place.version}`;
  const kept = context.catalog.runnableTools.get(key);
  if (kept !== undefined) return kept;
  const runnable = await loadVersion(context, place);
  context.catalog.runnableTools.set(key, runnable);
  return runnable;
}

async function loadVersion(context: CatalogContext, place: Place): Promise<RunnableTool> {
  const { id, name, version } = place;
  if (place.isDraft === true) {
    const row = await findDraftBuild(context.db, id, version);
    if (row === undefined) throw new Error(`Version ${version} of a draft is missing`);
    return { ...toRunnable({ id, name, version }, row), draft: { toolId: row.tool_id } };
  }
  const row = await findVersion(context.db, id, version);
  if (row === undefined) throw new Error(`Version ${version} of a tool is missing`);
  return toRunnable({ id, name, version }, row);
}

/** An object takes several times the memory of its text. */
const parsedFactor = 8;

/** What a version takes of memory, roughly and rather too much. */
export function runnableSize({ bundle, sourceMap, inputSchema }: RunnableTool): number {
  return bundle.module.length + sourceMap.length + parsedFactor * inputSchema.text.length;
}

type Row = Pick<
  ToolVersionTable,
  "workspace_id" | "definition" | "source" | "bundle" | "bundle_hash" | "source_map"
>;

function toRunnable(place: Omit<Place, "isDraft">, row: Row): RunnableTool {
  const definition = readDefinition(row.definition);
  const source = JSON.parse(row.source) as ToolSource;
  const { outputSchema, fileFields, credentials, allowedHosts } = definition;
  const { isolation, timeoutMs, limits, confirm } = definition;
  return {
    ...place,
    workspaceId: row.workspace_id,
    definition: {
      outputSchema,
      fileFields,
      credentials,
      allowedHosts,
      isolation,
      timeoutMs,
      limits,
      confirm,
    },
    inputSchema: prepareSchema(definition.inputSchema),
    bundle: { id: row.bundle_hash, module: row.bundle },
    sourceMap: row.source_map,
    sourceFile: source.language === "typescript" ? "tool.ts" : "tool.js",
  };
}
