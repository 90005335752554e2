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
  /** The length of the stored definition, of which the schemas are a part. */
  definitionLength: number;
  bundle: { id: string; module: string };
  sourceMap: string;
  sourceFile: string;
  /** The hash of the item of an import that it was made from. */
  itemHash: string | null;
  /** Set for a version of a draft, whose ID is that of the draft: the tool that it changes. */
  draft?: { toolId: string | null };
};

/** A schema with its compiled validator takes 40 times the memory of its text, and with both validators 80 times. */
const parsedFactor = 50;

/** What a version takes however small it is. */
const overheadBytes = 4_096;

/** Approximate memory of a version. */
export function runnableSize({ bundle, sourceMap, definitionLength }: RunnableTool): number {
  return overheadBytes + bundle.module.length + sourceMap.length + parsedFactor * definitionLength;
}

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
    definitionLength: row.definition.length,
    bundle: { id: row.bundle_hash, module: row.bundle },
    itemHash: row.item_hash ?? null,
    sourceMap: row.source_map,
    sourceFile: source.language === "typescript" ? "tool.ts" : "tool.js",
  };
}
