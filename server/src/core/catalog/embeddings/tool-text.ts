import { createHash } from "node:crypto";
import { schemaText } from "../search/schema-text.ts";
import type { SearchableTool } from "../search/tool-fields.ts";

/** Fits into the input of small models, about 500 tokens. */
const maxCharacters = 1_500;
const maxNames = 400;

/** The text of a tool that is embedded: its title, its description and the names of its parameters. */
export function textOf({ title, description, inputSchema }: SearchableTool): string {
  const names = schemaText(inputSchema).names.split("\n").filter(Boolean).join(", ");
  const end = names === "" ? "" : `\nInput: ${names.slice(0, maxNames)}`;
  return `${title}\n${description}`.slice(0, maxCharacters - end.length) + end;
}

/** Identifies an embedded text. */
export function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("base64url");
}
