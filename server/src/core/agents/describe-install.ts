import type { InstallClient, InstallInfo, JsonObject } from "@toolhost/contract";
import type { Config } from "#config";

/** Name of the server in client settings. */
const name = "toolhost";
const apiKeyPlaceholder = "YOUR_API_KEY";
const header = `Authorization: Bearer ${apiKeyPlaceholder}`;
const path = "/api/mcp";

type Addresses = Pick<Config, "baseUrl" | "mcpUrl">;

/** Instructions for connecting each client. The console shows them, and docs/connect/connect-agents.md repeats them. */
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
      category: "chat_app",
      signIn: "browser",
      steps: [
        "Open the link, or open Customize, Connectors, then + and Add custom connector.",
        `Enter ${url} and connect; the server must be reachable from the internet.`,
      ],
      snippet: null,
      link: `https://claude.ai/customize/connectors?${query({
        modal: "add-custom-connector",
        connectorName: "Toolhost",
        connectorUrl: url,
      })}`,
    },
    {
      id: "chatgpt",
      name: "ChatGPT",
      category: "chat_app",
      signIn: "browser",
      steps: [
        "Open Plugins in a browser, then + and Add custom MCP server. If that option is missing, turn on developer mode under Settings, Security and login.",
        `Enter ${url}, choose OAuth, and create the plugin; the server must be reachable from the internet.`,
      ],
      snippet: null,
      link: "https://chatgpt.com/plugins",
    },
  ];
}

function terminalClients(url: string, apiKeyUrl: string): InstallClient[] {
  const claude = (transport: string) => `claude mcp add --transport ${transport} ${name}`;
  const signInSteps = ["Run this command, then /mcp in Claude Code to sign in."];
  return [
    {
      id: "claude-code",
      name: "Claude Code",
      category: "command_line",
      signIn: "browser",
      steps: signInSteps,
      snippet: command(`${claude("http")} ${url}`),
      link: null,
    },
    {
      id: "claude-code-sse",
      name: "Claude Code, SSE transport",
      category: "command_line",
      signIn: "browser",
      steps: signInSteps,
      snippet: command(`${claude("sse")} ${url}`),
      link: null,
    },
    {
      id: "claude-code-key",
      name: "Claude Code with a key",
      category: "command_line",
      signIn: "api_key",
      steps: ["Create an API key with the scopes mcp:read and mcp:execute, then run this command."],
      snippet: command(`${claude("http")} ${apiKeyUrl} --header "${header}"`),
      link: null,
    },
    {
      id: "codex",
      name: "Codex",
      category: "command_line",
      signIn: "browser",
      steps: [`Run this command, then codex mcp login ${name} to sign in.`],
      snippet: command(`codex mcp add ${name} --url ${url}`),
      link: null,
    },
    {
      id: "goose",
      name: "Goose",
      category: "command_line",
      signIn: "browser",
      steps: ["Open the link, or run this command."],
      snippet: command(`goose session --with-streamable-http-extension "${url}"`),
      link: `goose://extension?${query({
        type: "streamable_http",
        url,
        id: name,
        name: "Toolhost",
        description: "Runs the tools of your workspace",
        timeout: "300",
      })}`,
    },
  ];
}

function editorClients(url: string): InstallClient[] {
  const inCode = { name, type: "http", url };
  return [
    {
      id: "cursor",
      name: "Cursor",
      category: "editor",
      signIn: "browser",
      steps: [
        "Open the link, or add this to the file; then sign in where Cursor lists its MCP servers: under Customize or in its settings.",
      ],
      snippet: file("~/.cursor/mcp.json", { mcpServers: { [name]: { url } } }),
      link: `cursor://anysphere.cursor-deeplink/mcp/install?name=${name}&config=${encodeURIComponent(
        Buffer.from(JSON.stringify({ url })).toString("base64"),
      )}`,
    },
    {
      id: "vscode",
      name: "VS Code",
      category: "editor",
      signIn: "browser",
      steps: ["Open the link, or add this to the file; VS Code prompts you to sign in."],
      snippet: file(".vscode/mcp.json", { servers: { [name]: { type: "http", url } } }),
      link: `vscode:mcp/install?${encodeURIComponent(JSON.stringify(inCode))}`,
    },
    {
      id: "windsurf",
      name: "Windsurf",
      category: "editor",
      signIn: "browser",
      steps: ["Add this to the file and refresh the servers in Cascade."],
      snippet: file("~/.codeium/windsurf/mcp_config.json", {
        mcpServers: { [name]: { serverUrl: url } },
      }),
      link: null,
    },
    {
      id: "zed",
      name: "Zed",
      category: "editor",
      signIn: "browser",
      steps: ["Add this to the settings and sign in when Zed prompts you."],
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
      category: "configuration_file",
      signIn: "api_key",
      steps: [
        "Add this to the configuration file of the client. Omit the headers if it can sign in with a browser.",
      ],
      snippet: file("mcp.json", {
        mcpServers: { [name]: { type: "http", url: apiKeyUrl, headers } },
      }),
      link: null,
    },
    {
      id: "stdio",
      name: "Clients that only start programs",
      category: "configuration_file",
      signIn: "api_key",
      steps: [
        "Add this to the configuration file of the client; it starts a program that forwards messages.",
      ],
      snippet: file("mcp.json", { mcpServers: { [name]: describeProxy(apiKeyUrl) } }),
      link: null,
    },
  ];
}

/** Some clients split arguments at spaces, so the header value, which contains one, is passed in the environment. */
function describeProxy(url: string): JsonObject {
  const { protocol, hostname } = new URL(url);
  const isRefused = protocol === "http:" && !["localhost", "127.0.0.1"].includes(hostname);
  const args = ["-y", "mcp-remote", url, "--header", "Authorization:${AUTHORIZATION}"];
  return {
    command: "npx",
    args: isRefused ? [...args, "--allow-http"] : args,
    env: { AUTHORIZATION: `Bearer ${apiKeyPlaceholder}` },
  };
}

/** A query string with %20 for spaces, since some clients do not decode a plus sign. */
function query(values: Record<string, string>): string {
  return new URLSearchParams(values).toString().replaceAll("+", "%20");
}

function command(text: string) {
  return { language: "sh", text, file: null } as const;
}

function file(place: string, content: JsonObject) {
  return { language: "json", text: JSON.stringify(content), file: place } as const;
}
