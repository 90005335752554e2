import { describe, expect, it } from "vitest";
import { groupClients } from "./client-groups.ts";

const clients = [
  { id: "chatgpt", category: "chat_app" },
  { id: "codex", category: "command_line" },
  { id: "cursor", category: "editor" },
  { id: "goose", category: "command_line" },
  { id: "other", category: "chat_app" },
] as const;

const idsAt = (url: string, only: readonly (typeof clients)[number][] = clients) =>
  groupClients(only, url).map((group) => [group.category, group.clients.map(({ id }) => id)]);

describe("groupClients", () => {
  it("keeps the order of clients that can all reach the address", () => {
    expect(idsAt("https://tools.example.com/mcp")).toEqual([
      ["chat_app", ["chatgpt", "other"]],
      ["command_line", ["codex", "goose"]],
      ["editor", ["cursor"]],
    ]);
  });

  it("lists clients last that cannot reach the address", () => {
    expect(idsAt("http://localhost/mcp")).toEqual([
      ["command_line", ["codex", "goose"]],
      ["editor", ["cursor"]],
      ["chat_app", ["other", "chatgpt"]],
    ]);
    const [chatgpt, codex] = clients;
    expect(idsAt("http://localhost/mcp", [chatgpt, codex])).toEqual([
      ["command_line", ["codex"]],
      ["chat_app", ["chatgpt"]],
    ]);
  });
});
