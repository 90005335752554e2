import type { CreateImportedToolsInput, ImportedTool } from "@toolhost/contract";
import { findImportedDrafts } from "#core/drafts";
import type { Caller } from "#core/kernel";
import { auditInsert, ServiceError } from "#core/kernel";
import type { ImportsContext } from "./context.ts";
import { findImport } from "./imports.ts";
import { findToolNames } from "./list-items.ts";
import { changedMeanwhile } from "./changed-meanwhile.ts";
import { makeTools } from "./make-tools.ts";
import { saveTools } from "./save-tools.ts";

/**
 * Creates tools or drafts of items of an import: of all that are valid. An item of which the caller has a draft gets no second
 * one. Throws `not_found`, `invalid_request`, `quota_exceeded`,
 * `draft_limit`, `rate_limited` and `unavailable`.
 */
export async function createImportedTools(
  context: ImportsContext,
  caller: Caller,
  id: string,
  input: CreateImportedToolsInput & { signal?: AbortSignal | undefined },
): Promise<ImportedTool[]> {
  const { keys, publish, serverUrl, credentials, visibility, signal } = input;
  const row = await findImport(context, caller, id);
  checkServerUrl(context, serverUrl);
  const names = await findToolNames(context, caller, id);
  const drafts = publish
    ? new Map<string, string>()
    : await findImportedDrafts(context, caller, id);
  const options = { serverUrl, credentials };
  const made = await makeTools(
    context,
    row,
    keys.filter((key) => !names.has(key) && !drafts.has(key)).map((key) => ({ key, options })),
  );
  const byKey = new Map(made.map((tool) => [tool.key, tool]));
  const candidates = keys.map((key) => {
    const tool = byKey.get(key);
    const draftId = drafts.get(key);
    if (draftId !== undefined && !names.has(key)) return { key, draftId };
    if (tool === undefined) {
      return { key, problem: `It is imported already, as ${names.get(key) ?? "another tool"}.` };
    }
    if ("problem" in tool) return tool;
    return { ...tool, definition: { ...tool.definition, visibility }, options };
  });
  const also = [
    auditInsert(context, caller, {
      action: "import.create_tools",
      target: id,
      details: { publish, tools: candidates.filter((one) => "definition" in one).length },
    }),
  ];
  const save = { row, publish, also, signal };
  const results = await saveTools(context, caller, candidates, save);
  if (results !== undefined) return results;
  throw changedMeanwhile();
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
