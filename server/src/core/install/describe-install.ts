import type { InstallClient, InstallInfo, JsonObject } from "@toolhost/contract";
import type { Config } from "#config";

/** What the server is called in the settings of clients. */
const name = "toolhost";
const apiKeyPlaceholder = "YOUR_API_KEY";
const header = `Authorization: Bearer ${apiKeyPlaceholder}`;
const path = "/api/mcp";

type Addresses = Pick<Config, "baseUrl" | "mcpUrl">;

/** How each client is connected to this server. The one place that says so: pages and the README show it. */
export function describeInstall({ baseUrl, mcpUrl }: Addresses): InstallInfo {
  const [url, apiKeyUrl] = [mcpUrl + path, baseUrl + path];
  const clients = [
    ...chatClients(url),
    ...terminalClients(url, apiKeyUrl),
    ...editorClients(url),
    ...otherClients(apiKeyUrl),
  ];
  return { mcpUrl: url, apiKeyUrl, apiKeyPlaceholder, clients };
}

function chatClients(url: string): InstallClient[] {
  return [
    {
      id: "claude",
      name: "Claude (web, desktop, mobile)",
      signIn: "browser",
      steps: [
        "Open Settings, Connectors, Add custom connector.",
        `Paste ${url} and connect; the server must be reachable from the internet.`,
      ],
      snippet: null,
      link: "https://claude.ai/settings/connectors",
    },
    {
      id: "chatgpt",
      name: "ChatGPT",
      signIn: "browser",
      steps: [
        "Turn on developer mode under Settings, Apps, Advanced settings, then create an app.",
        `Paste ${url} and choose OAuth; the server must be reachable from the internet.`,
      ],
      snippet: null,
      link: "https://chatgpt.com/#settings/Connectors",
    },
  ];
}

function terminalClients(url: string, apiKeyUrl: string): InstallClient[] {
  const claude = (transport: string) => `claude mcp add --transport ${transport} ${name}`;
  const signInSteps = ["Run this, then /mcp in Claude Code to sign in."];
  return [
    {
      id: "claude-code",
      name: "Claude Code",
      signIn: "browser",
      steps: signInSteps,
      snippet: command(`${claude("http")} ${url}`),
      link: null,
    },
    {
      id: "claude-code-sse",
      name: "Claude Code, SSE transport",
      signIn: "browser",
      steps: signInSteps,
      snippet: command(`${claude("sse")} ${url}`),
      link: null,
    },
    {
      id: "claude-code-key",
      name: "Claude Code with a key",
      signIn: "api_key",
      steps: ["Make a key with mcp:read and mcp:execute, and run this."],
      snippet: command(`${claude("http")} ${apiKeyUrl} --header "${header}"`),
      link: null,
    },
    {
      id: "goose",
      name: "Goose",
      signIn: "browser",
      steps: ["Open the link, or run this."],
      snippet: command(`goose session --with-streamable-http-extension "${url}"`),
      link: `goose://extension?${new URLSearchParams({
        type: "streamable_http",
        url,
        id: name,
        name: "Toolhost",
        description: "Runs tools that people of your workspace have built",
        timeout: "300",
      }).toString()}`.replaceAll("+", "%20"),
    },
  ];
}

function editorClients(url: string): InstallClient[] {
  const inCode = { name, type: "http", url };
  return [
    {
      id: "cursor",
      name: "Cursor",
      signIn: "browser",
      steps: ["Open the link, or put this into the file; then sign in under Settings, MCP."],
      snippet: file("~/.cursor/mcp.json", { mcpServers: { [name]: { url } } }),
      link: `cursor://anysphere.cursor-deeplink/mcp/install?name=${name}&config=${encodeURIComponent(
        Buffer.from(JSON.stringify({ url })).toString("base64"),
      )}`,
    },
    {
      id: "vscode",
      name: "VS Code",
      signIn: "browser",
      steps: ["Open the link, or put this into the file; VS Code asks you to sign in."],
      snippet: file(".vscode/mcp.json", { servers: { [name]: { type: "http", url } } }),
      link: `vscode:mcp/install?${encodeURIComponent(JSON.stringify(inCode))}`,
    },
    {
      id: "windsurf",
      name: "Windsurf",
      signIn: "browser",
      steps: ["Put this into the file and refresh the servers in Cascade."],
      snippet: file("~/.codeium/windsurf/mcp_config.json", {
        mcpServers: { [name]: { serverUrl: url } },
      }),
      link: null,
    },
    {
      id: "zed",
      name: "Zed",
      signIn: "browser",
      steps: ["Put this into the settings and sign in when Zed asks."],
      snippet: file("~/.config/zed/settings.json", { context_servers: { [name]: { url } } }),
      link: null,
    },
  ];
}

function otherClients(apiKeyUrl: string): InstallClient[] {
  const headers = { Authorization: `Bearer ${apiKeyPlaceholder}` };
  return [
    {
      id: "json",
      name: "Any client with a JSON file",
      signIn: "api_key",
      steps: ["Put this into its file. Leave the headers out where it can sign in with a browser."],
      snippet: file("mcp.json", {
        mcpServers: { [name]: { type: "http", url: apiKeyUrl, headers } },
      }),
      link: null,
    },
    {
      id: "stdio",
      name: "Clients that only start programs",
      signIn: "api_key",
      steps: ["Have them start this."],
      snippet: command(`npx -y mcp-remote ${apiKeyUrl} --header "${header}"`),
      link: null,
    },
  ];
}

function command(text: string) {
  return { language: "sh", text, file: null } as const;
}

function file(place: string, content: JsonObject) {
  return { language: "json", text: JSON.stringify(content), file: place } as const;
}
