import { ApiError } from "@toolhost/client";
import type { Client } from "@toolhost/client";
import type { ImportItem, ImportResource, ImportedTool } from "@toolhost/contract";
import type { Session } from "../session.ts";
import { CliError, usageError } from "../terminal/cli-error.ts";
import { exitCodes } from "../terminal/exit-codes.ts";
import { chooseItems } from "./choose-items.ts";
import type { Choice } from "./choose-items.ts";
import { presentExisting } from "./existing-import.ts";
import { findOrCreateImport } from "./find-import.ts";
import { command } from "../terminal/shell-command.ts";
import { askSignIn } from "./ask-authentication.ts";
import { importCurl } from "./import-curl.ts";
import { findMissingCredentials } from "./missing-credentials.ts";
import { parseSignIn } from "./parse-authentication.ts";
import type { SignIn } from "./parse-authentication.ts";
import { showItems, showResults } from "./show-import.ts";

export type ImportFlags = Choice & {
  mcp?: boolean;
  curl?: boolean;
  publish?: boolean;
  again?: boolean;
  server?: string;
  credential?: readonly string[];
  auth?: string;
  update?: string;
  yes?: boolean;
};

/** The service creates no more with one request. */
const maxPerRequest = 50;

/** Imports a document or MCP server, and creates drafts or tools of what was chosen. */
export async function importTools(
  session: Session,
  flags: ImportFlags,
  source: string,
): Promise<number> {
  if (flags.curl === true) {
    refuseOtherFlags(flags);
    return importCurl(session, source);
  }
  try {
    return await importFrom(session, flags, source);
  } catch (error) {
    const { address } = await session.connect();
    throw nameFlags(error, { address, source });
  }
}

/** With `--curl`, the command alone says what the tool is. */
function refuseOtherFlags(flags: ImportFlags): void {
  const [flag] = Object.entries(flags).flatMap(([name, value]) =>
    name === "curl" || value === undefined || value === false ? [] : [name],
  );
  if (flag === undefined) return;
  throw usageError(
    `--${flag} has no effect with --curl, which creates a draft of one request.`,
    "toolhost import --curl COMMAND   (then run and publish the draft at the address that it prints)",
    "toolhost secret set API_TOKEN   (saves a credential by the name that it prints)",
  );
}

/** Names the flag of a field that the service misses or refuses, instead of the field. */
function nameFlags(error: unknown, place: Place): unknown {
  if (error instanceof ApiError && error.code === "document_mismatch") {
    const message = error.message.replace(/ Import it separately.*$/s, "");
    const next = [
      "repeat with --yes to replace the document",
      "or without --update to import it separately",
    ];
    return new CliError(message, {
      code: error.code,
      exitCode: exitCodes.conflict,
      next,
      cause: error,
    });
  }
  const isApiError = error instanceof Error && error.name === "ApiError" && "errors" in error;
  const fields = isApiError ? (error.errors as { path: string }[]).map(({ path }) => path) : [];
  const flags = flagsOfFields(place);
  const next = flags.filter(([field]) => fields.includes(field)).map(([, flag]) => flag);
  if (!(error instanceof Error) || next.length === 0) return error;
  const code = "code" in error ? String(error.code) : "failed";
  const message = error.message
    .replace(/^Invalid body: `\/(\w+)` /, "The $1 ")
    .replace(/ Create a credential for .*$/s, "");
  return new CliError(message, { code, exitCode: exitCodes.failed, next, cause: error });
}

/** The service that was asked, and what to import from. */
type Place = { address: string; source: string };

function flagsOfFields({ address, source }: Place) {
  const host = URL.canParse(source) ? new URL(source).host : "";
  const save = command`toolhost secret set NAME --hosts ${host === "" ? "HOST" : host}`;
  return [
    ["/serverUrl", "--server URL   (the base URL of the API)"],
    ["/url", "an HTTPS URL, or a file"],
    [
      "/credential",
      `--credential NAME   (sign in at ${address.replace(/\/$/, "")}/credentials, or: ${save})`,
    ],
  ] as const;
}

async function importFrom(session: Session, flags: ImportFlags, source: string): Promise<number> {
  const { terminal } = session;
  const { client, address } = await session.connect();
  const waiting = terminal.wait("Reading the source");
  const found = await findOrCreateImport(client, flags, source).finally(() => waiting.done());
  const pageUrl = new URL(`imports/${found.id}`, `${address.replace(/\/$/, "")}/`).href;
  const chosen = await chooseItems(session, client, found, flags);
  if (chosen.isListed) {
    showItems(terminal, { found, items: chosen.items, pageUrl });
    return exitCodes.ok;
  }
  const signIn = await chooseSignIn(session, found, flags, chosen.items);
  const results = await create(client, found, { ...flags, signIn }, chosen.items);
  const missing = await findMissingCredentials(client, results);
  showResults(terminal, { found, results, pageUrl, missing });
  return results.some(({ problem }) => problem !== null) ? exitCodes.failed : exitCodes.ok;
}

/** Asks on a terminal what neither the options nor the document say. */
async function chooseSignIn(
  { terminal }: Session,
  found: ImportResource,
  flags: ImportFlags,
  items: readonly ImportItem[],
): Promise<SignIn> {
  const given = parseSignIn(found, flags);
  const isGiven = flags.auth !== undefined || flags.credential !== undefined;
  if (isGiven || !terminal.isInteractive) return given;
  return (await askSignIn(found, items)) ?? given;
}

/** Creates drafts or tools of items. What was imported before is in the result as it is. */
async function create(
  client: Client,
  found: ImportResource,
  { publish = false, again = false, server, signIn }: ImportFlags & { signIn: SignIn },
  items: readonly ImportItem[],
): Promise<ImportedTool[]> {
  const isDone = ({ toolName, draftId }: ImportItem) =>
    !again && (toolName !== null || draftId !== null);
  const existing = items.filter(isDone);
  const fresh = items.filter((item) => !isDone(item));
  const options = {
    publish,
    allowDuplicates: again,
    ...(server === undefined ? {} : { serverUrl: server }),
    ...signIn,
  };
  const results: ImportedTool[] = [];
  for (const item of existing) results.push(await presentExisting(client, item, signIn));
  if (publish) await publishDrafts(client, found, results);
  for (let from = 0; from < fresh.length; from += maxPerRequest) {
    const batch = fresh.slice(from, from + maxPerRequest);
    const created = await client.request("POST /imports/{id}/tools", {
      params: { id: found.id },
      body: {
        ...options,
        keys: batch.map(({ key }) => key),
        hashes: batch.map(({ hash }) => hash),
      },
    });
    results.push(...created);
  }
  return results;
}

/** Publishes drafts that an earlier command created, in place of their results. */
async function publishDrafts(
  client: Client,
  { id }: ImportResource,
  results: ImportedTool[],
): Promise<void> {
  const drafted = results.flatMap(({ key, draftId, problem }, at) =>
    draftId === null || problem !== null ? [] : [{ key, draftId, at }],
  );
  for (let from = 0; from < drafted.length; from += maxPerRequest) {
    const batch = drafted.slice(from, from + maxPerRequest);
    const drafts: { id: string; revision: number }[] = [];
    for (const { draftId } of batch) {
      const { revision } = await client.request("GET /drafts/{id}", { params: { id: draftId } });
      drafts.push({ id: draftId, revision });
    }
    const published = await client.request("POST /imports/{id}/drafts/publish", {
      params: { id },
      body: { drafts },
    });
    for (const [index, result] of published.entries()) {
      const place = batch[index];
      if (place !== undefined) results[place.at] = { ...result, key: place.key };
    }
  }
}
