import { execFile } from "node:child_process";
import { copyFile, readFile, realpath, stat } from "node:fs/promises";
import { promisify } from "node:util";
import { createClient } from "@toolhost/client";
import type { InstallInfo } from "@toolhost/contract";
import { findAddress } from "../account/connect.ts";
import { isRecord, toJsonFile } from "../json.ts";
import { isMissing, writeAtomic } from "../project/write-atomic.ts";
import type { Session } from "../session.ts";
import { CliError, usageError } from "../terminal/cli-error.ts";
import { exitCodes } from "../terminal/exit-codes.ts";
import { commandClients, homeOf, jsonClients, mergeEntry, readEntry } from "./client-files.ts";

export type InstallFlags = { print?: boolean };
type InstallClient = InstallInfo["clients"][number];

/** Adds the service to an MCP client: in its settings, or with its own command. The user signs in there. */
export async function installMcp(session: Session, flags: InstallFlags, id: string): Promise<void> {
  const { url } = await findAddress(session);
  // The instructions are public, so no key is sent.
  const service = createClient({ baseUrl: url, apiKey: () => "" });
  const response = await service.fetch("GET /install", { headers: { accept: "application/json" } });
  const { clients, mcpUrl } = (await response.json()) as InstallInfo;
  const client = clients.find((one) => one.id === id);
  if (client === undefined) {
    throw usageError(
      `There is no client "${id}". Use one of: ${clients.map((one) => one.id).join(", ")}.`,
    );
  }
  if (flags.print === true) return print(session, client);
  if (Object.hasOwn(jsonClients, id)) return writeSettings(session, client);
  const command = Object.hasOwn(commandClients, id) ? commandClients[id] : undefined;
  const name = "toolhost";
  if (command !== undefined) return runCommand(session, client, command(name, checkUrl(mcpUrl)));
  return print(session, client);
}

function checkUrl(url: string): string {
  if (/^https?:\/\/[\w.:[\]/-]+$/.test(url)) return url;
  throw usageError("The service named an address for agents that is not valid.");
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

async function writeSettings(session: Session, client: InstallClient): Promise<void> {
  const { env, cwd, terminal } = session;
  const known = jsonClients[client.id];
  const parsed: unknown = client.snippet === null ? undefined : JSON.parse(client.snippet.text);
  const found = known === undefined ? undefined : readEntry(parsed, known.member);
  if (known === undefined || found === undefined) return print(session, client);
  const { member } = known;
  // Settings are often links into a folder that Git knows, which must stay links.
  const given = known.file({ home: homeOf(env), cwd });
  const file = await realpath(given).catch(() => given);
  const settings = await readSettings(file, client);
  const merged = settings && mergeEntry(settings.value, { member, ...found });
  if (merged === undefined) throw notMergeable(given, client);
  const isSame =
    settings !== undefined && JSON.stringify(merged) === JSON.stringify(settings.value);
  const backup = `${file}.toolhost-backup`;
  const hasBackup = !isSame && settings?.mode !== undefined;
  if (hasBackup) await copyFile(file, backup);
  if (!isSame) await writeAtomic(file, toJsonFile(merged), settings?.mode ?? 0o600);
  const result = {
    id: client.id,
    file: given,
    isWritten: !isSame,
    backup: hasBackup ? backup : null,
  };
  terminal.result(result, () => [
    isSame ? `${client.name} already has Toolhost (${given}).` : `Added Toolhost to ${given}.`,
    ...(hasBackup ? [`The previous settings are in ${backup}.`] : []),
  ]);
  terminal.note("Restart the client, or reload its servers; then sign in there.");
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

function notMergeable(file: string, { id, name }: InstallClient): CliError {
  return new CliError(
    `${file} contains comments or has an unexpected form, so it was not changed.`,
    {
      code: "settings_not_readable",
      exitCode: exitCodes.failed,
      next: [`toolhost mcp install ${id} --print   (then add it to ${name} by hand)`],
    },
  );
}

/** Runs the client's own command. Its arguments are ours: text of the service is never run. */
async function runCommand(
  session: Session,
  client: InstallClient,
  [program, ...args]: readonly [string, ...string[]],
): Promise<void> {
  const { terminal } = session;
  try {
    const { stdout } = await promisify(execFile)(program, args, { timeout: 60_000 });
    terminal.result({ id: client.id, command: [program, ...args], isWritten: true }, () => [
      stdout.trim() === "" ? `Added Toolhost to ${client.name}.` : stdout.trim(),
    ]);
    terminal.note(client.steps.join("\n"));
  } catch (error) {
    if (!isMissing(error)) {
      throw new CliError(`${program} failed: ${error instanceof Error ? error.message : ""}`, {
        code: "client_failed",
        exitCode: exitCodes.failed,
        next: [`toolhost mcp install ${client.id} --print`],
      });
    }
    terminal.note(`${program} is not installed here.`);
    print(session, client);
  }
}
