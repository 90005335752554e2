/** The clients that `mcp install` writes settings for or runs. */
const installedClients = ["claude-code", "codex", "cursor", "vscode", "windsurf", "zed"] as const;

/** The clients for which `mcp install` prints instructions. */
const printedClients = [
  "claude",
  "chatgpt",
  "claude-code-sse",
  "claude-code-key",
  "goose",
  "json",
  "stdio",
] as const;

/** The lines of the help of `mcp install`. */
export const clientsHelp: string = [
  `Set up: ${installedClients.join(", ")}. Settings are backed up and merged.`,
  `Printed: ${printedClients.join(", ")}.`,
].join("\n");

export const clientNames: readonly string[] = [...installedClients, ...printedClients];

/** The templates of `new --template`. */
export const templateNames = ["blank", "http", "credential", "file"] as const;
