import type { JsonObject } from "@toolhost/contract";
import { yieldToEventLoop } from "#lib/event-loop";
import { hasInvisible } from "#lib/invisible";
import { isJsonObject } from "#lib/json-object";
import { cleanLine } from "#lib/clean-text";
import { definitionHash } from "./definition-hash.ts";
import type { ListedTool, McpToolDefinition, SkippedTool } from "./definition.ts";

const maxNameLength = 128;
const maxDefinitionLength = 256 * 1024;
/** Definitions that are checked and hashed between two turns of other requests, in characters. */
const charactersPerTurn = 128 * 1024;

type Tools = { tools: ListedTool[]; skipped: SkippedTool[] };

/**
 * Checks and hashes the tools of a listing. A tool that is listed twice with different definitions is skipped: it
 * is unknown which of them a call reaches.
 */
export async function readTools(listed: readonly unknown[]): Promise<Tools> {
  const found = new Map<string, ListedTool>();
  const skipped = new Map<string, SkippedTool>();
  let sinceTurn = 0;
  for (const value of listed) {
    const length = JSON.stringify(value).length;
    sinceTurn += length;
    if (sinceTurn > charactersPerTurn) {
      await yieldToEventLoop();
      sinceTurn = 0;
    }
    const name = isJsonObject(value) && typeof value["name"] === "string" ? value["name"] : "";
    const shown = cleanLine(name, maxNameLength);
    const problem = length > maxDefinitionLength ? tooLong : problemOf(value, name);
    if (problem !== undefined || !isDefinition(value)) {
      found.delete(name);
      skipped.set(name, { name: shown, reason: problem ?? "Its definition is invalid" });
      continue;
    }
    const tool = { definition: value, hash: definitionHash(value) };
    const other = found.get(name);
    if (skipped.has(name)) continue;
    if (other === undefined) found.set(name, tool);
    else if (other.hash !== tool.hash) {
      found.delete(name);
      skipped.set(name, { name: shown, reason: "The server lists several tools with this name" });
    }
  }
  return { tools: [...found.values()], skipped: [...skipped.values()] };
}

const tooLong = `Its definition has more than ${maxDefinitionLength} characters`;

function problemOf(value: unknown, name: string): string | undefined {
  if (!isJsonObject(value) || name === "") return "It has no name";
  if (name.length > maxNameLength) return `Its name has more than ${maxNameLength} characters`;
  if (hasInvisible(name) || /[\n\t]/.test(name)) return "Its name contains invisible characters";
  if (!isJsonObject(value["inputSchema"])) return "It has no input schema";
  return undefined;
}

function isDefinition(value: unknown): value is McpToolDefinition {
  if (!isJsonObject(value)) return false;
  const { name, inputSchema }: JsonObject = value;
  return typeof name === "string" && isJsonObject(inputSchema);
}
