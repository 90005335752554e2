import { isDeepStrictEqual } from "node:util";
import type { JsonObject, ToolChange, ToolUpdateReason } from "@toolhost/contract";
import { beyond, needsOf } from "../approvals/needs.ts";
import { walkSchemas } from "#core/validation";
import type { ToolVersionTable } from "#db";
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

/** A version with what it is called, which its definition does not say. */
type Described = ToolDefinition & { title: string; description: string };

type Version = Pick<ToolVersionTable, "title" | "description" | "definition" | "source">;

/** How an update differs from the version that is in use. The code itself stays with its author. */
export function compareVersions(before: Version, after: Version) {
  const [old, next] = [describe(before), describe(after)];
  const changes = fields.flatMap((field): ToolChange[] => {
    const change = { field, before: fieldOf(old, field), after: fieldOf(next, field) };
    return isDeepStrictEqual(change.before, change.after) ? [] : [change];
  });
  return {
    changes,
    codeChanged: before.source !== after.source,
    new: beyond(needsOf(next), needsOf(old)),
    asksFor: whatIsAsked(old, next),
  };
}

/** Why a person has to look at an update; nothing when it may be accepted automatically. */
export function whyReview(before: Version, after: Version): ToolUpdateReason[] {
  return whatIsAsked(describe(before), describe(after));
}

function describe({ title, description, definition }: Version): Described {
  return { title, description, ...readDefinition(definition) };
}

function fieldOf(version: Described, field: (typeof fields)[number]): ToolChange["before"] {
  return (version as JsonObject)[field] ?? null;
}

export function whatIsAsked(old: Described, next: Described): ToolUpdateReason[] {
  const { credentials, allowedHosts } = beyond(needsOf(next), needsOf(old));
  const reasons: [ToolUpdateReason, boolean][] = [
    ["credentials", credentials.length > 0],
    ["expose", credentials.some(({ expose }) => expose)],
    ["hosts", allowedHosts.length > 0],
    ["input", asksForInput(old, next)],
    ["output", !isDeepStrictEqual(old.outputSchema, next.outputSchema)],
    ["texts", hasOtherTexts(old, next)],
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
    !isDeepStrictEqual(new Set(old.fileFields), new Set(next.fileFields))
  );
}

/**
 * Whether people and agents read something else about the tool. Any difference of the input schema counts, so what
 * `withoutTexts` takes for a text is looked at too.
 */
function hasOtherTexts(old: Described, next: Described): boolean {
  const textsOf = ({ title, description, inputSchema, examples }: Described) => [
    title,
    description,
    inputSchema,
    examples,
  ];
  const described = new Map(old.credentials.map((one) => [one.name, one.description]));
  return (
    !isDeepStrictEqual(textsOf(old), textsOf(next)) ||
    next.credentials.some(({ name, description }) => {
      const before = described.get(name);
      return before !== undefined && before !== description;
    })
  );
}

const texts = ["title", "description", "$comment"];

/**
 * A schema without what only explains it. References may use anything in the document as a schema; where one leads
 * outside of the usual places, nothing is left out.
 */
function withoutTexts(schema: JsonObject): JsonObject {
  const copy = structuredClone(schema);
  const schemas = [...walkSchemas(copy)];
  if (schemas.some(({ isElsewhere }) => isElsewhere)) return schema;
  for (const { schema: each } of schemas) {
    for (const text of texts) if (typeof each[text] === "string") delete each[text];
  }
  return copy;
}
