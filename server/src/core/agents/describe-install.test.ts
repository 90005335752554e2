import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { InstallClient } from "@toolhost/contract";
import { describe, expect, it } from "vitest";
import { describeInstall } from "./describe-install.ts";

const local = "http://localhost:3000";
const apart = describeInstall({ baseUrl: "https://tools.example", mcpUrl: "https://mcp.example" });

const linkOf = (id: string) => apart.clients.find((client) => client.id === id)?.link ?? "";

/** A client as a section of the guide. */
function toMarkdown({ name, steps, snippet }: InstallClient): string {
  const text = `### ${name}\n\n${steps.join(" ")}`;
  if (snippet === null) return text;
  const file = snippet.file === null ? "" : ` File: \`${snippet.file}\``;
  return `${text}${file}\n\n\`\`\`${snippet.language}\n${snippet.text}`;
}

describe("describeInstall", () => {
  it("returns the instructions of the guide", () => {
    // Ignores how the guide wraps lines and formats JSON.
    const withoutSpaces = (text: string) => text.replaceAll(/\s+/g, "");
    const path = join(import.meta.dirname, "../../../../docs/connect/connect-agents.md");
    const guide = withoutSpaces(readFileSync(path, "utf8"));
    const sections = describeInstall({ baseUrl: local, mcpUrl: local }).clients.map(toMarkdown);
    expect(sections.filter((section) => !guide.includes(withoutSpaces(section)))).toEqual([]);
  });

  it("uses the MCP URL for sign-in and the base URL for API keys", () => {
    expect([apart.mcpUrl, apart.apiKeyUrl]).toEqual([
      "https://mcp.example/api/mcp",
      "https://tools.example/api/mcp",
    ]);
    for (const { id, signIn, steps, snippet } of apart.clients) {
      const text = [...steps, snippet?.text].join(" ");
      const [right, wrong] =
        signIn === "browser" ? [apart.mcpUrl, apart.apiKeyUrl] : [apart.apiKeyUrl, apart.mcpUrl];
      expect([id, text.includes(right), text.includes(wrong)]).toEqual([id, true, false]);
      expect([id, text.includes(apart.apiKeyPlaceholder)]).toEqual([id, signIn === "api_key"]);
    }
  });

  it("returns links that the clients can parse", () => {
    const cursor = new URL(linkOf("cursor"));
    const config = Buffer.from(cursor.searchParams.get("config") ?? "", "base64").toString();
    expect(JSON.parse(config)).toEqual({ url: apart.mcpUrl });
    const [start, coded = ""] = linkOf("vscode").split("?");
    expect(start).toBe("vscode:mcp/install");
    expect(JSON.parse(decodeURIComponent(coded))).toMatchObject({
      type: "http",
      url: apart.mcpUrl,
    });
    const claude = new URL(linkOf("claude")).searchParams;
    expect(claude.get("connectorUrl")).toBe(apart.mcpUrl);
    const goose = new URL(linkOf("goose")).searchParams;
    expect([goose.get("type"), goose.get("url")]).toEqual(["streamable_http", apart.mcpUrl]);
  });

  it("allows HTTP in the proxy only for servers without TLS", () => {
    const argumentsAt = (baseUrl: string) => {
      const { clients } = describeInstall({ baseUrl, mcpUrl: baseUrl });
      return clients.find(({ id }) => id === "stdio")?.snippet?.text;
    };
    expect(argumentsAt("http://tools.lan")).toContain("--allow-http");
    expect(argumentsAt("https://tools.example")).not.toContain("--allow-http");
    expect(argumentsAt(local)).not.toContain("--allow-http");
  });

  it("returns valid JSON snippets and unique IDs", () => {
    const files = apart.clients.flatMap(({ snippet }) => (snippet?.file == null ? [] : [snippet]));
    for (const { language, text } of files) {
      expect([language, typeof JSON.parse(text)]).toEqual(["json", "object"]);
    }
    const ids = apart.clients.map(({ id }) => id);
    expect(ids).toEqual([...new Set(ids)]);
  });
});
