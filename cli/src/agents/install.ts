import { execFile } from "node:child_process";
import { constants, copyFile, lstat, readFile, realpath, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { promisify } from "node:util";
import type { InstallInfo } from "@toolhost/contract";
import { readAccounts } from "../account/accounts.ts";
import type { Address } from "../account/address.ts";
import { clientOf, findAddress } from "../account/connect.ts";
import { isRecord, toJsonFile } from "../json.ts";
import { isInside } from "../project/project.ts";
import { isMissing, writeAtomic } from "../project/write-atomic.ts";
import type { Session } from "../session.ts";
import { CliError, usageError } from "../terminal/cli-error.ts";
import { exitCodes } from "../terminal/exit-codes.ts";
import type { ExitCode } from "../terminal/exit-codes.ts";
import { checkAgentAddress } from "./agent-address.ts";
import {
  commandClients,
  entryName,
  homeOf,
  jsonClients,
  mergeEntry,
  readEntry,
} from "./client-files.ts";
import { command } from "../terminal/shell-command.ts";

export type InstallFlags = { print?: boolean };
type InstallClient = InstallInfo["clients"][number];

/** Adds the service to an MCP client: in its settings, or with its own command. The user signs in there. */
export async function installMcp(
  session: Session,
  flags: InstallFlags,
  id: string,
): Promise<ExitCode | void> {
  const address = await findAddress(session);
  const { url } = address;
  // The instructions are public, so no key is sent.
  const service = clientOf(url, () => "");
  const response = await service.fetch("GET /install", { headers: { accept: "application/json" } });
  const { clients, mcpUrl } = (await response.json()) as InstallInfo;
  const client = clients.find((one) => one.id === id);
  if (client === undefined) {
    throw usageError(
      `There is no client "${id}". Use one of: ${clients.map((one) => one.id).join(", ")}.`,
    );
  }
  if (flags.print === true) return print(session, client);
  await checkNamed(session, address, id);
  const named = { address: url, id, isInsecure: session.flags.insecure === true };
  const check = (agentUrl: string) => checkAgentAddress(agentUrl, named);
  if (Object.hasOwn(jsonClients, id)) return writeSettings(session, client, check);
  const programOf = Object.hasOwn(commandClients, id) ? commandClients[id] : undefined;
  if (programOf !== undefined) {
    return runCommand(session, client, programOf(entryName, await check(mcpUrl)));
  }
  return print(session, client);
}

/** `toolhost.json` can come from someone else, so it does not decide where agents send what they know. */
async function checkNamed({ env }: Session, { url, source }: Address, id: string): Promise<void> {
  if (source !== "toolhost.json") return;
  const { accounts } = await readAccounts(env);
  if (Object.hasOwn(accounts, url)) return;
  throw usageError(
    `The address ${url} comes from toolhost.json, and you are not signed in there, so it is not added.`,
    command`toolhost mcp install ${id} --url ${url}   (if you trust this address)`,
  );
}

function print({ terminal }: Session, { id, name, steps, snippet, link }: InstallClient): void {
  terminal.result({ id, name, steps, snippet, link, isWritten: false }, () => [
    `${name}:`,
    ...steps.map((step, at) => `${at + 1}. ${step}`),
    ...(snippet === null
      ? []
      : ["", ...(snippet.file === null ? [] : [`${snippet.file}:`]), snippet.text]),
    ...(link === null ? [] : ["", link]),
  ]);
}

async function writeSettings(
  session: Session,
  client: InstallClient,
  check: (agentUrl: string) => Promise<string>,
): Promise<void> {
  const { env, cwd, terminal } = session;
  const known = jsonClients[client.id];
  const parsed: unknown = client.snippet === null ? undefined : JSON.parse(client.snippet.text);
  const found = known === undefined ? undefined : readEntry(parsed, known.member);
  if (known === undefined || found === undefined) return print(session, client);
  for (const url of found.urls) await check(url);
  const { member } = known;
  // Settings are often links into a folder that Git knows, which must stay links.
  const given = known.file({ home: homeOf(env), cwd });
  if (known.isInProject === true) await checkLinks(cwd, given);
  const file = await realpath(given).catch(() => given);
  const settings = await readSettings(file, client);
  const merged = settings && mergeEntry(settings.value, { member, entry: found.entry });
  if (merged === undefined) throw notMergeable(given, client);
  const isSame =
    settings !== undefined && JSON.stringify(merged) === JSON.stringify(settings.value);
  const hasSettings = !isSame && settings?.mode !== undefined;
  const backup = hasSettings ? await backUp(file) : null;
  if (!isSame) await writeAtomic(file, toJsonFile(merged), settings?.mode ?? 0o600);
  const replaced = isSame ? undefined : entryIn(settings?.value[member]);
  const result = {
    id: client.id,
    file: given,
    isWritten: !isSame,
    isReplaced: replaced !== undefined,
    backup,
  };
  terminal.result(result, () => [
    describeChange(client, given, { isSame, replaced }),
    ...(backup !== null ? [`The previous settings are in ${backup}.`] : []),
  ]);
  if (isSame) return;
  terminal.note("Restart the client, or reload its servers; then sign in there.");
}

/** The entry of the same name, which can be that of another server. */
const entryIn = (servers: unknown) =>
  isRecord(servers) && Object.hasOwn(servers, entryName) ? servers[entryName] : undefined;

function describeChange(
  { name }: InstallClient,
  file: string,
  { isSame, replaced }: { isSame: boolean; replaced: unknown },
): string {
  if (isSame) return `${name} already has Toolhost (${file}).`;
  if (replaced === undefined) return `Added Toolhost to ${file}.`;
  const url = isRecord(replaced) ? (replaced["url"] ?? replaced["serverUrl"]) : undefined;
  const old = typeof url === "string" ? ` (${url})` : "";
  return `Replaced the entry "${entryName}"${old} in ${file}.`;
}

/** Throws if a file, or its folder, is a link that leads out of a folder: a cloned repository can contain such links. */
async function checkLinks(folder: string, file: string): Promise<void> {
  const root = await realpath(folder);
  for (const path of [dirname(file), file]) {
    const stats = await lstat(path).catch(() => undefined);
    if (stats?.isSymbolicLink() !== true) continue;
    const target = await realpath(path).catch(() => undefined);
    if (target === undefined || !isInside(root, target)) {
      throw usageError(`${path} is a link that leads out of the current folder. Remove it first.`);
    }
  }
}

/** Copies a file to an unused name beside it. Whatever has a name already stays, and links are not followed. */
async function backUp(file: string): Promise<string> {
  for (let number = 1; ; number++) {
    const backup = `${file}.toolhost-backup${number === 1 ? "" : `-${number}`}`;
    try {
      await copyFile(file, backup, constants.COPYFILE_EXCL);
      return backup;
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
    }
  }
}

type Settings = { value: Record<string, unknown>; mode: number | undefined };

/** The settings of a client. Settings with comments cannot be written back without losing them, so they are not changed. */
async function readSettings(file: string, client: InstallClient): Promise<Settings | undefined> {
  const text = await readFile(file, "utf8").catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw error;
  });
  if (text === undefined) return { value: {}, mode: undefined };
  const { mode } = await stat(file);
  if (text.trim() === "") return { value: {}, mode: mode & 0o777 };
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? { value, mode: mode & 0o777 } : undefined;
  } catch {
    throw notMergeable(file, client);
  }
}

function notMergeable(file: string, { id }: InstallClient): CliError {
  return new CliError(
    `${file} contains comments or has an unexpected form, so it was not changed.`,
    {
      code: "settings_not_readable",
      exitCode: exitCodes.failed,
      next: [command`toolhost mcp install ${id} --print   (then add it by hand)`],
    },
  );
}

/** Runs the client's own command. Its arguments are ours: text of the service is never run. */
async function runCommand(
  session: Session,
  client: InstallClient,
  [program, ...args]: readonly [string, ...string[]],
): Promise<ExitCode> {
  const { terminal } = session;
  try {
    const { stdout } = await promisify(execFile)(program, args, { timeout: 60_000 });
    terminal.result({ id: client.id, command: [program, ...args], isWritten: true }, () => [
      stdout.trim() === "" ? `Added Toolhost to ${client.name}.` : stdout.trim(),
    ]);
    terminal.note(client.steps.join("\n"));
    return exitCodes.ok;
  } catch (error) {
    if (!isMissing(error)) {
      throw new CliError(`${program} failed: ${error instanceof Error ? error.message : ""}`, {
        code: "client_failed",
        exitCode: exitCodes.failed,
        next: [command`toolhost mcp install ${client.id} --print`],
      });
    }
    terminal.note(`${program} is not installed here, so nothing was added.`);
    print(session, client);
    return exitCodes.failed;
  }
}
