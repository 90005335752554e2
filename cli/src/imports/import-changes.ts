import type { Client } from "@toolhost/client";
import type { ImportChange, ImportedTool } from "@toolhost/contract";
import { isRecord, toJsonFile } from "../json.ts";
import { canonicalJson } from "../project/definition.ts";
import { diffLines } from "../project/diff-lines.ts";
import type { Session } from "../session.ts";
import { CliError, usageError } from "../terminal/cli-error.ts";
import { exitCodes } from "../terminal/exit-codes.ts";
import { command } from "../terminal/shell-command.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { styled, withoutBreaks } from "../terminal/text.ts";

export type UpdateFlags = { all?: boolean; draft?: boolean; discardEdits?: boolean };

type ToolDefinition = Readonly<Record<string, unknown>>;
type Change = Omit<ImportChange, "before" | "after" | "generated"> & {
  before: ToolDefinition;
  after: ToolDefinition | null;
};

/** The service applies no more with one request. */
const maxPerRequest = 50;
/** Two definitions with the same shorter start of a hash can be found within seconds. */
const shownHash = 32;

/** Checks an import, and shows how its tools differ from the document or server. */
export async function showChanges(session: Session, _: object, id: string): Promise<void> {
  const { terminal } = session;
  const { client } = await session.connect();
  await checkAgain(client, id);
  const changes = await readChanges(client, id);
  terminal.result(changes, () =>
    changes.length === 0 ? "No changes." : changes.flatMap((change) => linesOf(change)),
  );
  const [first] = changes;
  if (first === undefined) return;
  const reviewed = `${first.toolName}@${first.hash.slice(0, shownHash)}`;
  terminal.note(`Publish one as reviewed: ${command`toolhost imports update ${id} ${reviewed}`}`);
  terminal.note("Add --draft to create drafts instead. --all takes all changes.");
}

/** Publishes changes of an import, or creates drafts of them. */
export async function updateTools(
  session: Session,
  { all = false, draft = false, discardEdits = false }: UpdateFlags,
  id: string,
  ...tools: string[]
): Promise<number> {
  if (all === tools.length > 0) throw usageError("Name the tools to update, or use --all.");
  const { terminal } = session;
  const { client } = await session.connect();
  const changes = await readChanges(client, id);
  const chosen = all ? changes : tools.map((tool) => findChange(changes, tool, id));
  const results: ImportedTool[] = [];
  try {
    for (let from = 0; from < chosen.length; from += maxPerRequest) {
      const batch = chosen.slice(from, from + maxPerRequest);
      const body = {
        publish: !draft,
        changes: batch.map(({ toolName, hash }) => ({ toolName, hash, discardEdits })),
      };
      const params = { id };
      results.push(...(await client.request("POST /imports/{id}/changes", { params, body })));
    }
  } catch (error) {
    // What was applied stays applied when the connection is lost afterwards.
    if (results.length > 0) showResults(terminal, results);
    throw error;
  }
  showResults(terminal, results);
  return results.some(({ problem }) => problem !== null) ? exitCodes.failed : exitCodes.ok;
}

function showResults(terminal: Terminal, results: readonly ImportedTool[]): void {
  terminal.result(results, () =>
    results.length === 0 ? "No changes." : results.flatMap((result) => resultLines(result)),
  );
}

/** Reads the source again, unless it was uploaded. */
async function checkAgain(client: Client, id: string): Promise<void> {
  const { url } = await client.request("GET /imports/{id}", { params: { id } });
  if (url === null) return;
  await client.request("POST /imports/{id}/check", { params: { id }, body: {} });
}

async function readChanges(client: Client, id: string): Promise<Change[]> {
  const changes: Change[] = [];
  const options = { params: { id }, query: { limit: 50 } };
  for await (const change of client.list("/imports/{id}/changes", options)) changes.push(change);
  return changes;
}

/** The change of `TOOL`, or of `TOOL@HASH` if it is still the one with this hash. */
function findChange(changes: readonly Change[], text: string, id: string): Change {
  const [name = "", reviewed] = text.split("@");
  if (reviewed !== undefined && reviewed.length < shownHash) {
    throw usageError(`Use the hash as it is shown, with ${shownHash} digits.`, ...nextAfter(id));
  }
  const change = changes.find(({ toolName }) => toolName === name);
  const next = nextAfter(id);
  if (change === undefined) {
    const message = `The import has no change of a tool "${name}".`;
    throw new CliError(message, { code: "not_found", exitCode: exitCodes.notFound, next });
  }
  if (reviewed === undefined || change.hash.startsWith(reviewed)) return change;
  const message = `${name} was changed again after you reviewed it.`;
  throw new CliError(message, { code: "changed", exitCode: exitCodes.conflict, next });
}

const nextAfter = (id: string) => [command`toolhost imports changes ${id}`];

function linesOf(change: Change): string[] {
  const { toolName, kind, key, hash, isEdited, isOnHold, notes, before, after } = change;
  const marks = [
    kind === "removed" ? styled("red", "removed: updating archives the tool") : kind,
    ...(isOnHold ? [styled("yellow", "on hold")] : []),
    ...(isEdited ? [styled("yellow", "edited here: --discard-edits or --draft")] : []),
  ];
  const name = `${toolName}@${hash.slice(0, shownHash)}`;
  return [
    `${styled("bold", name)}  ${withoutBreaks(key)}  ${marks.join(", ")}`,
    ...notes.map((note) => `  ${withoutBreaks(note)}`),
    ...(after === null ? [] : diffLines(settingsOf(before), settingsOf(after)).map(indent)),
    ...(after === null ? [] : diffLines(codeOf(before), codeOf(after)).map(indent)),
  ];
}

const indent = (line: string) => `  ${line}`;

/** All but the code, in a stable order. */
function settingsOf(definition: ToolDefinition): string {
  const settings = Object.entries(definition).filter(([name]) => name !== "source");
  return toJsonFile(JSON.parse(canonicalJson(Object.fromEntries(settings))));
}

function codeOf({ source }: ToolDefinition): string {
  const code = isRecord(source) ? source["code"] : undefined;
  return typeof code === "string" ? code : "";
}

function resultLines({ key, toolName, draftId, notes, problem }: ImportedTool): string[] {
  const name = withoutBreaks(toolName ?? key);
  if (problem !== null) return [`${styled("red", "✗")} ${name}: ${withoutBreaks(problem)}`];
  const made = draftId === null ? "updated" : `draft ${draftId}`;
  return [
    `${styled("green", "✓")} ${name}: ${made}`,
    ...notes.map((note) => `  ${withoutBreaks(note)}`),
  ];
}
