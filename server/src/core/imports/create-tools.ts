import type { CreateImportedToolsInput, ImportedTool } from "@toolhost/contract";
import { findImportedDrafts } from "#core/drafts";
import type { Caller } from "#core/kernel";
import { auditInsert, retryWrite, ServiceError } from "#core/kernel";
import type { ImportsContext } from "./context.ts";
import { findImport } from "./imports.ts";
import { findToolNames } from "./list-items.ts";
import { changedMeanwhile, changedSinceReview } from "./changed-meanwhile.ts";
import type { ImportRow } from "./import-store.ts";
import { findItems } from "./item-cache.ts";
import { makeTools } from "./make-tools.ts";
import { isBridge } from "./read-bridge.ts";
import { saveTools } from "./save-tools.ts";
import type { Candidate } from "./save-tools.ts";

/**
 * Creates tools or drafts of items of an import: of all that are valid. Items with a tool or draft that the caller may see are
 * refused, unless duplicates are allowed. Throws `not_found`, `invalid_request`, `quota_exceeded`, `draft_limit`,
 * `rate_limited` and `unavailable`.
 */
export async function createImportedTools(
  context: ImportsContext,
  caller: Caller,
  id: string,
  input: Input,
): Promise<ImportedTool[]> {
  checkServerUrl(context, input.serverUrl);
  const results = await retryWrite(async () => createOnce(context, caller, id, input));
  if (results === undefined) throw changedMeanwhile();
  return results;
}

type Input = CreateImportedToolsInput & { signal?: AbortSignal | undefined };

/** Undefined if the import, or what was made of its items, changed at the same time. */
async function createOnce(
  context: ImportsContext,
  caller: Caller,
  id: string,
  input: Input,
): Promise<ImportedTool[] | undefined> {
  const { keys, publish, allowDuplicates, visibility, signal } = input;
  const { serverUrl, credentials, authentication, titles } = input;
  const row = await findImport(context, caller, id);
  const existing = allowDuplicates
    ? new Map<string, Candidate>()
    : await findExisting(context, caller, id);
  const refused = new Map([...(await findOutdated(context, row, input)), ...existing]);
  const optionsOf = (key: string) => ({
    serverUrl,
    credentials,
    authentication,
    ...(Object.hasOwn(titles, key) ? { title: titles[key] } : {}),
  });
  const made = await makeTools(
    context,
    row,
    keys.filter((key) => !refused.has(key)).map((key) => ({ key, options: optionsOf(key) })),
  );
  const byKey = new Map(made.map((tool) => [tool.key, tool]));
  const candidates = keys.flatMap((key) => {
    const tool = byKey.get(key);
    if (tool === undefined) return refused.get(key) ?? [];
    if ("problem" in tool) return tool;
    // A bridge serves its user only.
    const shown = isBridge(row.url) ? ("private" as const) : visibility;
    return {
      ...tool,
      definition: { ...tool.definition, visibility: shown },
      options: optionsOf(key),
      isUnique: !allowDuplicates,
    };
  });
  const also = [
    auditInsert(context, caller, {
      action: "import.create_tools",
      target: id,
      // The log is read by members who do not see private tools, so it has no counts.
      details: { publish },
    }),
  ];
  return saveTools(context, caller, candidates, { row, publish, also, signal });
}

/** Why items that changed after the caller reviewed them become no tools. */
async function findOutdated(
  context: ImportsContext,
  row: ImportRow,
  { keys, hashes }: Pick<CreateImportedToolsInput, "keys" | "hashes">,
): Promise<Map<string, Candidate>> {
  if (hashes === undefined) return new Map();
  const { items } = await findItems(context, row);
  const current = new Map(items.map(({ key, hash }) => [key, hash]));
  const outdated = keys.filter((key, at) => current.has(key) && current.get(key) !== hashes[at]);
  return new Map(outdated.map((key) => [key, { key, problem: changedSinceReview }]));
}

/** Why items that the caller imported before get no second tool or draft. */
async function findExisting(
  context: ImportsContext,
  caller: Caller,
  id: string,
): Promise<Map<string, Candidate>> {
  const drafts = [...(await findImportedDrafts(context, caller, id))].map(([key, draftId]) => ({
    key,
    draftId,
    problem: "You have a draft of it. Publish the draft, or delete it first.",
  }));
  const tools = [...(await findToolNames(context, caller, id))].map(([key, toolName]) => ({
    key,
    toolName,
    problem: `It is imported already, as ${toolName}.`,
  }));
  return new Map([...drafts, ...tools].map((one) => [one.key, one]));
}

/** Tools may only be created for servers that they can reach. */
function checkServerUrl({ outbound }: ImportsContext, url: string | undefined): void {
  if (url === undefined || outbound.allowsScheme(url)) return;
  const message =
    "must be an HTTPS URL. The operator can allow HTTP for a host with EGRESS_PRIVATE_HOSTS";
  throw new ServiceError("invalid_request", `Invalid body: \`/serverUrl\` ${message}.`, {
    errors: [{ path: "/serverUrl", message }],
  });
}
