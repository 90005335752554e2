import type { JsonObject, Skill } from "@toolhost/contract";
import { fieldLabel } from "@toolhost/tool-schema";
import { findRunnableTool } from "#core/catalog";
import { isJsonObject } from "#lib/json-object";
import type { ChatBlock } from "../block.ts";
import type { ChatContext } from "../context.ts";
import type { Turn } from "../turn.ts";
import { cut, escapeInvisible, plainJson } from "./json.ts";
import type { Json } from "./json.ts";
import { messages } from "./messages.ts";
import type { ToolRequest } from "./subject.ts";

/** Within the text limit of every platform. */
const pieceLength = 2_500;
const maxFieldLength = 200;
const maxLabelLength = 100;

type Asking = { tool: Skill; toolRequest: Pick<ToolRequest, "input" | "attached"> };

/**
 * The input for a person to check: short values and the names of files as fields, everything else below as text or JSON.
 * Values that the schema marks as secret are hidden, as in the record of a run.
 */
export async function inputBlocks(
  context: ChatContext,
  turn: Turn,
  { tool, toolRequest: { input, attached } }: Asking,
): Promise<ChatBlock[]> {
  const isEmpty = Object.keys(input).length === 0;
  const shown = isEmpty ? {} : await withoutSecrets(context, turn, tool, input);
  const names = [...Object.keys(shown), ...Object.keys(attached)];
  const labels = labelsOf(tool, names);
  return toBlocks(shown, attached, (name) => labels.get(name) ?? name);
}

async function withoutSecrets(
  context: ChatContext,
  { caller }: Turn,
  { name }: Skill,
  input: JsonObject,
): Promise<JsonObject> {
  const { inputSchema } = await findRunnableTool(context, caller, name);
  const given = { value: input, text: JSON.stringify(input) };
  const { shown } = await context.validation.checkInput(caller.workspaceId, inputSchema, given);
  return shown as JsonObject;
}

/** A label of each field that no other has. A model or another person may have chosen the names of unknown fields. */
export function labelsOf(
  { inputSchema: { properties } }: Pick<Skill, "inputSchema">,
  names: readonly string[],
): Map<string, string> {
  const known = isJsonObject(properties) ? properties : {};
  const labels = names.map((name) => {
    const isKnown = Object.hasOwn(known, name) || /^[\w-]+$/.test(name);
    const label = isKnown ? fieldLabel(name, known[name]) : JSON.stringify(name);
    return { name, label: cut(oneLine(label), maxLabelLength) };
  });
  const same = Map.groupBy(labels, ({ label }) => label.toLowerCase());
  return new Map(
    labels.map(({ name, label }) => {
      const isOnly = same.get(label.toLowerCase())?.length === 1;
      return [name, isOnly ? label : `${label} (${oneLine(JSON.stringify(name))})`];
    }),
  );
}

function oneLine(text: string): string {
  return escapeInvisible(text.replaceAll(/\s+/g, " "));
}

export function toBlocks(
  input: JsonObject,
  attached: ToolRequest["attached"],
  label: (name: string) => string,
): ChatBlock[] {
  const fields: { label: string; value: string }[] = [];
  const others: ChatBlock[] = [];
  for (const [name, value] of Object.entries(input)) {
    const words = asField(value);
    if (words !== undefined) fields.push({ label: label(name), value: words });
    else {
      const text = typeof value === "string" ? escapeInvisible(value) : plainJson(value);
      const pieces = piecesOf(text).map((piece): ChatBlock => ({ kind: "code", text: piece }));
      others.push({ kind: "text", text: messages.valueOf(label(name)) }, ...pieces);
    }
  }
  for (const [name, files] of Object.entries(attached)) {
    const names = files.map((file) => escapeInvisible(file.name)).join(", ");
    fields.push(...piecesOf(names).map((value) => ({ label: label(name), value })));
  }
  return fields.length === 0 ? others : [{ kind: "fields", fields }, ...others];
}

/** A value that is readable in one line. */
function asField(value: Json): string | undefined {
  if (value === null) return messages.none;
  if (typeof value === "boolean") return value ? messages.yes : messages.no;
  if (typeof value === "number") return String(value);
  if (typeof value !== "string" || value.length > maxFieldLength) return undefined;
  // Spaces at the ends and control characters would be invisible.
  if (value !== value.trim() || /\p{Cc}/u.test(value)) return undefined;
  return value === "" ? messages.empty : escapeInvisible(value);
}

function piecesOf(text: string): string[] {
  const count = Math.ceil(text.length / pieceLength);
  return Array.from({ length: count }, (_, index) =>
    text.slice(index * pieceLength, (index + 1) * pieceLength),
  );
}
