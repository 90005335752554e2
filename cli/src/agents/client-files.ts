import { homedir } from "node:os";
import { join } from "node:path";
import { isRecord } from "../json.ts";

/** A client whose settings this program can write. */
export type KnownClient = {
  /** The file of its settings. */
  file: (places: { home: string; cwd: string }) => string;
  /** Whether the file is below the current folder, whose content may come from others. */
  isInProject?: true;
  /** The member that has the servers. */
  member: "mcpServers" | "servers" | "context_servers";
};

/**
 * The clients whose settings are JSON files. What to write comes from the service, but never where: a service could otherwise
 * write any file.
 */
export const jsonClients: Readonly<Record<string, KnownClient>> = {
  cursor: { file: ({ home }) => join(home, ".cursor/mcp.json"), member: "mcpServers" },
  vscode: {
    file: ({ cwd }) => join(cwd, ".vscode/mcp.json"),
    isInProject: true,
    member: "servers",
  },
  windsurf: {
    file: ({ home }) => join(home, ".codeium/windsurf/mcp_config.json"),
    member: "mcpServers",
  },
  zed: { file: ({ home }) => join(home, ".config/zed/settings.json"), member: "context_servers" },
};

/** The clients that have a command to add a server, with its arguments. */
export const commandClients: Readonly<
  Record<string, (name: string, url: string) => readonly [string, ...string[]]>
> = {
  "claude-code": (name, url) => ["claude", "mcp", "add", "--transport", "http", name, url],
  codex: (name, url) => ["codex", "mcp", "add", name, "--url", url],
};

export const homeOf = (env: Readonly<Record<string, string | undefined>>): string =>
  env["HOME"] || env["USERPROFILE"] || homedir();

/** The name of the entry. It does not come from the service, which could otherwise replace the entry of another server. */
export const entryName = "toolhost";

const addressFields = new Set(["url", "serverUrl", "type"]);

/**
 * The entry for a server in a snippet of the service, and its addresses. Anything else, such as a command that the client would
 * start, is rejected.
 */
export function readEntry(snippet: unknown, member: string) {
  const servers = isRecord(snippet) ? snippet[member] : undefined;
  const [entry] = isRecord(servers) ? Object.values(servers) : [];
  const isSafe =
    isRecord(entry) &&
    Object.entries(entry).every(
      ([field, value]) => addressFields.has(field) && typeof value === "string",
    );
  if (!isSafe) return undefined;
  const urls = [entry["url"], entry["serverUrl"]].filter((url) => typeof url === "string");
  return urls.length > 0 ? { entry, urls } : undefined;
}

/** The settings with the server in them. All other members stay. Undefined if they have an unexpected form. */
export function mergeEntry(
  settings: Record<string, unknown>,
  { member, entry }: { member: string; entry: Record<string, unknown> },
): Record<string, unknown> | undefined {
  const servers = settings[member] ?? {};
  if (!isRecord(servers)) return undefined;
  return { ...settings, [member]: { ...servers, [entryName]: entry } };
}
