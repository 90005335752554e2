import type { ToolSource } from "@toolhost/contract";
import { prepareSchema } from "#core/validation";
import type { InputSchema } from "#core/validation";
import type { ToolVersionTable } from "#db";
import { readDefinition } from "./tool.ts";
import type { ToolDefinition } from "./tool.ts";

/** A parsed version with everything that running it needs. Versions are immutable, so it can be cached. */
export type RunnableTool = {
  id: string;
  name: string;
  version: number;
  /** The owning workspace; a public tool also runs in other workspaces. */
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
  /** Approximate memory of all this. */
  bytes: number;
  bundle: { id: string; module: string };
  sourceMap: string;
  sourceFile: string;
  /** The hash of the item of an import that it was made from. */
  itemHash: string | null;
  /** Set for a version of a draft, whose ID is that of the draft: the tool that it changes. */
  draft?: { toolId: string | null };
};

/** A parsed object takes several times the memory of its text. */
const parsedFactor = 8;
/** The two validators of a schema that this process compiles. */
const compiledFactor = 80;
/** What a version takes however small it is. */
const overheadBytes = 4_096;

type VersionRow = Pick<
  ToolVersionTable,
  "workspace_id" | "definition" | "source" | "bundle" | "bundle_hash" | "source_map"
> & { item_hash?: string | null };

/** Parses a stored version. */
export function toRunnable(
  place: Pick<RunnableTool, "id" | "name" | "version">,
  row: VersionRow,
): RunnableTool {
  const definition = readDefinition(row.definition);
  const source = JSON.parse(row.source) as ToolSource;
  const { outputSchema, fileFields, credentials, allowedHosts } = definition;
  const { isolation, timeoutMs, limits, confirm } = definition;
  const retained = {
    outputSchema,
    fileFields,
    credentials,
    allowedHosts,
    isolation,
    timeoutMs,
    limits,
    confirm,
  };
  const inputSchema = prepareSchema(definition.inputSchema);
  const bytes =
    overheadBytes +
    row.bundle.length +
    row.source_map.length +
    inputSchema.text.length * (inputSchema.isSmall ? compiledFactor : parsedFactor) +
    JSON.stringify(retained).length * parsedFactor;
  return {
    ...place,
    workspaceId: row.workspace_id,
    definition: retained,
    inputSchema,
    bytes,
    bundle: { id: row.bundle_hash, module: row.bundle },
    itemHash: row.item_hash ?? null,
    sourceMap: row.source_map,
    sourceFile: source.language === "typescript" ? "tool.ts" : "tool.js",
  };
}
