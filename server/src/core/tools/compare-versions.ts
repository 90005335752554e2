import { isDeepStrictEqual } from "node:util";
import type { JsonObject, ToolChange, ToolUpdateReason } from "@toolhost/contract";
import { beyond, needsOf } from "#core/approvals";
import type { ToolVersionTable } from "#db";
import { isJsonObject } from "#lib/json-object";
import { readDefinition } from "./tool.ts";
import type { ToolDefinition } from "./tool.ts";

/** What is compared, in the order in which a person reads it. */
const fields = [
  "title",
  "description",
  "credentials",
  "allowedHosts",
  "inputSchema",
  "outputSchema",
  "fileFields",
  "timeoutMs",
  "limits",
  "isolation",
  "idempotent",
  "confirm",
  "examples",
] as const satisfies readonly ("title" | "description" | keyof ToolDefinition)[];

type Version = Pick<ToolVersionTable, "title" | "description" | "definition" | "source">;

/** How an update differs from the version that is in use. The code itself stays with its author. */
export function compareVersions(before: Version, after: Version) {
  const [old, next] = [readDefinition(before.definition), readDefinition(after.definition)];
  const [oldFields, nextFields] = [fieldsOf(before, old), fieldsOf(after, next)];
  const changes = fields.flatMap((field): ToolChange[] => {
    const change = { field, before: oldFields[field] ?? null, after: nextFields[field] ?? null };
    return isDeepStrictEqual(change.before, change.after) ? [] : [change];
  });
  return {
    changes,
    codeChanged: before.source !== after.source,
    new: beyond(needsOf(next), needsOf(old)),
    asksFor: whatIsAsked(old, next),
  };
}

function fieldsOf({ title, description }: Version, definition: ToolDefinition): JsonObject {
  return { title, description, ...definition } as JsonObject;
}

/** Why a person has to look at an update; nothing when it asks for nothing that the version in use does not have. */
export function whatIsAsked(old: ToolDefinition, next: ToolDefinition): ToolUpdateReason[] {
  const { credentials, allowedHosts } = beyond(needsOf(next), needsOf(old));
  const reasons: [ToolUpdateReason, boolean][] = [
    ["credentials", credentials.length > 0],
    ["expose", credentials.some(({ expose }) => expose)],
    ["hosts", allowedHosts.length > 0],
    ["input", asksForInput(old, next)],
    ["limits", next.timeoutMs > old.timeoutMs || isLooser(old.limits, next.limits)],
    ["confirm", old.confirm && !next.confirm],
    ["isolation", old.isolation === "fresh" && next.isolation !== "fresh"],
    ["retries", !old.idempotent && next.idempotent],
  ];
  return reasons.flatMap(([reason, isAsked]) => (isAsked ? [reason] : []));
}

/** A limit that a tool leaves out is the server's, and so the loosest. */
function isLooser(old: ToolDefinition["limits"], next: ToolDefinition["limits"]): boolean {
  const names = ["cpuMs", "memoryMb", "outputBytes", "logBytes"] as const;
  return names.some((name) => (next[name] ?? Infinity) > (old[name] ?? Infinity));
}

/**
 * Whether inputs are read differently: by anything but the texts of the schema. Whether one schema takes all that another
 * takes cannot be told in general, so every other change is a person's to judge.
 */
function asksForInput(old: ToolDefinition, next: ToolDefinition): boolean {
  return (
    !isDeepStrictEqual(withoutTexts(old.inputSchema), withoutTexts(next.inputSchema)) ||
    next.fileFields.some((field) => !old.fileFields.includes(field))
  );
}

const texts = new Set(["title", "description", "examples", "$comment"]);
/** Keywords whose value is a map from names to schemas. */
const maps = new Set([
  "properties",
  "patternProperties",
  "$defs",
  "definitions",
  "dependentSchemas",
]);
/** Keywords whose value is data. */
const data = new Set(["enum", "const", "default", "required", "dependentRequired"]);

/** A schema without what only explains it. A property may well be called `title`. */
function withoutTexts(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutTexts);
  if (!isJsonObject(schema)) return schema;
  return Object.fromEntries(
    Object.entries(schema).flatMap(([keyword, value]): [string, unknown][] => {
      if (texts.has(keyword)) return [];
      if (data.has(keyword)) return [[keyword, value]];
      if (!maps.has(keyword) || !isJsonObject(value)) return [[keyword, withoutTexts(value)]];
      const members = Object.entries(value).map(([name, member]) => [name, withoutTexts(member)]);
      return [[keyword, Object.fromEntries(members)]];
    }),
  );
}
