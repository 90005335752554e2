import { gunzip } from "node:zlib";
import { promisify } from "node:util";
import type { CreateToolInput, ImportAuthentication, JsonObject } from "@toolhost/contract";
import { toolLimits } from "@toolhost/contract";
import type { ImportOptions } from "#core/catalog";
import { declareBearer } from "#core/vault";
import type { ImportsContext } from "./context.ts";
import { changedMeanwhile } from "./changed-meanwhile.ts";
import { findDocument } from "./import-store.ts";
import type { ImportRow } from "./import-store.ts";
import { findItems } from "./item-cache.ts";
import { buildTool } from "./mcp/index.ts";
import type { McpTransport } from "./mcp/index.ts";
import type { ChosenAuthentication } from "./openapi/index.ts";
import { bridgedServer, isBridge } from "./read-bridge.ts";
import { distinctTitle } from "./read-mcp.ts";
import { explainOpenApiError } from "./read-openapi.ts";
import type { Common, StoredItem } from "./stored-import.ts";

const decompress = promisify(gunzip);

/** An item to make a tool of, and what was chosen for it. */
export type Wanted = { key: string; options: ImportOptions };

/** A tool made from an item, or why it cannot be made. */
export type MadeTool =
  | { key: string; hash: string; definition: CreateToolInput; notes: string[] }
  | { key: string; problem: string };

/** Makes the definitions of tools from items, in the given order. Throws `not_found` and `unavailable`. */
export async function makeTools(
  context: ImportsContext,
  row: ImportRow,
  wanted: readonly Wanted[],
): Promise<MadeTool[]> {
  const isMcp = row.kind === "mcp";
  const { items } = await findItems(context, row);
  const byKey = new Map(items.map((item) => [item.key, item]));
  const possible = wanted.filter(({ key }) => byKey.get(key)?.problem === null);
  const made = isMcp
    ? await Promise.all(possible.map(({ key }) => makeMcpTool(context, row, byKey.get(key))))
    : await makeOpenApiTools(context, row, possible);
  const result = new Map(made.map((tool) => [tool.key, tool]));
  return wanted.map(({ key, options: { title } }) => {
    const problem = byKey.get(key)?.problem ?? "It is not part of this import.";
    const tool = result.get(key) ?? { key, problem };
    if (title === undefined || "problem" in tool) return tool;
    return { ...tool, definition: { ...tool.definition, title } };
  });
}

async function makeMcpTool(
  { validation }: ImportsContext,
  { workspace_id: workspaceId, url, transport, format, credential, common }: ImportRow,
  item: StoredItem | undefined,
): Promise<MadeTool> {
  if (item?.definition === undefined || url === null) throw new Error("The listing is incomplete");
  const { key, hash } = item;
  const server = isBridge(url)
    ? bridgedServer
    : { url, transport: transport as McpTransport, protocolVersion: format };
  const declared = credential === null ? undefined : declareBearer(credential, url);
  const credentials = declared === undefined ? [] : [declared.header];
  const checkSchema = (schema: JsonObject) => validation.checkDefinition(workspaceId, schema, []);
  const built = await buildTool(server, item.definition, { credentials, checkSchema });
  const { notes } = built;
  const isRepeated = item.title === distinctTitle(built.tool.title, key);
  const tool =
    isRepeated && item.title.length <= toolLimits.title
      ? { ...built.tool, title: item.title }
      : built.tool;
  const { credentialResource } = JSON.parse(common) as Common;
  // Other users of the tool sign in at the server as well.
  const definition =
    declared === undefined || credentialResource === undefined
      ? tool
      : { ...tool, credentials: declared.credentials };
  return { key, hash, definition, notes };
}

/** One request to the reader for each set of choices, since they hold for all its tools. */
async function makeOpenApiTools(
  { db, imports, outbound }: ImportsContext,
  row: ImportRow,
  wanted: readonly Wanted[],
): Promise<MadeTool[]> {
  if (wanted.length === 0) return [];
  const { workspace_id: workspaceId, url } = row;
  const compressed = await findDocument(db, row);
  if (compressed === undefined) throw changedMeanwhile();
  const document = await decompress(compressed);
  const made: MadeTool[] = [];
  const groups = Map.groupBy(wanted, ({ options }) =>
    // Titles are set afterwards, each for its tool.
    JSON.stringify({ ...options, title: undefined }),
  );
  for (const group of groups.values()) {
    const { serverUrl, credentials: credentialNames, authentication } = group[0]?.options ?? {};
    const options = {
      keys: group.map(({ key }) => key),
      serverUrl,
      documentUrl: url ?? undefined,
      credentialNames,
      authentication: authentication && toSchemes(authentication),
    };
    const { tools, skipped } = await imports.reader
      .generateTools(workspaceId, document, options)
      .catch((error: unknown) => Promise.reject(explainOpenApiError(error)));
    made.push(...tools, ...skipped.map(({ key, reason }) => ({ key, problem: reason })));
  }
  return refuseDenied(outbound, made);
}

function toSchemes(chosen: ImportAuthentication): ChosenAuthentication[] {
  if (chosen.kind === "none") return [];
  if (chosen.kind === "basic") {
    const { userCredential, passwordCredential } = chosen;
    return [{ kind: "basic", credentialNames: [userCredential, passwordCredential] }];
  }
  const credentialNames = [chosen.credential];
  if (chosen.kind === "bearer") return [{ kind: "bearer", credentialNames }];
  const { in: place, name } = chosen;
  return [{ kind: "api_key", apiKey: { in: place, name }, credentialNames }];
}

/** Operations may name other servers than the document. A tool that may not reach its server is not made. */
async function refuseDenied(
  outbound: ImportsContext["outbound"],
  made: readonly MadeTool[],
): Promise<MadeTool[]> {
  const hosts = new Set(
    made.flatMap((tool) => ("problem" in tool ? [] : tool.definition.allowedHosts)),
  );
  const denials = new Map<string, string>();
  for (const host of hosts) {
    const url = host.startsWith("http://") ? host : `https://${host}`;
    const reason = await outbound.explainDenied(url);
    if (reason !== undefined) denials.set(host, reason);
  }
  return made.map((tool) => {
    if ("problem" in tool) return tool;
    const denied = tool.definition.allowedHosts.find((host) => denials.has(host));
    if (denied === undefined) return tool;
    return { key: tool.key, problem: `${denials.get(denied)}.` };
  });
}
