import type { ImportKind } from "@toolhost/contract";
import type { McpToolDefinition, McpTransport } from "./mcp/index.ts";
import type { SecurityScheme, Server } from "./openapi/index.ts";

/** An item of an import, as it is stored. Texts are untrusted. */
export type StoredItem = {
  key: string;
  /** What the document or server calls it: the `operationId` or the name of the tool. Empty if it has none. */
  name: string;
  /** Of everything that a tool is made from. */
  hash: string;
  title: string;
  description: string;
  tags: string[];
  isDeprecated: boolean;
  schemaBytes: number;
  /** The alternatives by which it authenticates, as in `OperationSummary`. */
  security: string[][];
  /** The OAuth scopes that it needs, by security scheme. Missing in imports that were stored before scopes were. */
  scopes?: Readonly<Record<string, readonly string[]>>;
  /** When a check found it. Missing for what the import had from the start. */
  addedAt?: number;
  /** Why it cannot be imported. */
  problem: string | null;
  /** The complete definition of a tool of an MCP server. */
  definition?: McpToolDefinition;
};

/** What applies to all items. */
export type Common = {
  servers: Server[];
  securitySchemes: SecurityScheme[];
  tags: { name: string; itemCount: number }[];
  /** What is left out of the document. */
  notes?: string[];
  /** The name of the file, if the document was uploaded. */
  fileName?: string | undefined;
  /** The MCP server at which users sign in to get the credential, if it is not a value. */
  credentialResource?: string | undefined;
};

const maxTags = 200;

/** The tags of items that can be imported, the most frequent first. */
export function countTags(items: readonly StoredItem[]): Common["tags"] {
  const counts = new Map<string, number>();
  for (const { tags } of items.filter(({ problem }) => problem === null)) {
    for (const tag of new Set(tags)) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  }
  return [...counts]
    .map(([name, itemCount]) => ({ name, itemCount }))
    .toSorted((a, b) => b.itemCount - a.itemCount)
    .slice(0, maxTags);
}

/** What a document or server offers. */
export type Reading = {
  kind: ImportKind;
  title: string;
  description: string;
  version: string;
  /** The format of the document, or the revision of the protocol. */
  format: string;
  transport: McpTransport | null;
  common: Common;
  items: StoredItem[];
  /** Of the document or listing. */
  hash: string;
  /** The bytes of the document. */
  document: Buffer | null;
};

/** The hashes of items by key, of those that can be imported. */
export function hashesOf(items: readonly StoredItem[]): Map<string, string> {
  return new Map(
    items.filter(({ problem }) => problem === null).map(({ key, hash }) => [key, hash]),
  );
}
