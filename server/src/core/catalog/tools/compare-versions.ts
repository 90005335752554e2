import { isDeepStrictEqual } from "node:util";
import type { JsonObject, ToolChange, ToolUpdateReason } from "@toolhost/contract";
import { subtractNeeds, needsOf } from "../approvals/needs.ts";
import { walkSchemas } from "#core/validation";
import type { ToolVersionTable } from "#db";
import { readDefinition } from "./tool.ts";
import type { ToolDefinition } from "./tool.ts";

/** The compared fields, in display order. */
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

/** A definition with its title and description, which are stored separately. */
type Described = ToolDefinition & { title: string; description: string };

type Version = Pick<ToolVersionTable, "title" | "description" | "definition" | "source">;

/** How an update differs from the version in use. The code itself is not shown to other workspaces. */
export function compareVersions(before: Version, after: Version) {
  const [old, next] = [describe(before), describe(after)];
  const changes = fields.flatMap((field): ToolChange[] => {
    const change = { field, before: fieldOf(old, field), after: fieldOf(next, field) };
    return isDeepStrictEqual(change.before, change.after) ? [] : [change];
  });
  return {
    changes,
    codeChanged: before.source !== after.source,
    new: subtractNeeds(needsOf(next), needsOf(old)),
    asksFor: findReviewReasons(old, next),
  };
}

/** Why an update needs review; empty if it can be accepted automatically. */
export function getReviewReasons(before: Version, after: Version): ToolUpdateReason[] {
  return findReviewReasons(describe(before), describe(after));
}

function describe({ title, description, definition }: Version): Described {
  return { title, description, ...readDefinition(definition) };
}

function fieldOf(version: Described, field: (typeof fields)[number]): ToolChange["before"] {
  return (version as JsonObject)[field] ?? null;
}

export function findReviewReasons(old: Described, next: Described): ToolUpdateReason[] {
  const { credentials, allowedHosts } = subtractNeeds(needsOf(next), needsOf(old));
  const reasons: [ToolUpdateReason, boolean][] = [
    ["credentials", credentials.length > 0],
    ["expose", credentials.some(({ expose }) => expose)],
    ["hosts", allowedHosts.length > 0],
    ["input", acceptsOtherInput(old, next)],
    ["output", !isDeepStrictEqual(old.outputSchema, next.outputSchema)],
    ["texts", hasOtherTexts(old, next)],
    ["limits", next.timeoutMs > old.timeoutMs || isLooser(old.limits, next.limits)],
    ["confirm", old.confirm && !next.confirm],
    ["isolation", old.isolation === "fresh" && next.isolation !== "fresh"],
    ["retries", !old.idempotent && next.idempotent],
  ];
  return reasons.flatMap(([reason, isAsked]) => (isAsked ? [reason] : []));
}

/** An omitted limit is the limit of the server, which is the highest. */
function isLooser(old: ToolDefinition["limits"], next: ToolDefinition["limits"]): boolean {
  const names = ["cpuMs", "memoryMb", "outputBytes", "logBytes"] as const;
  return names.some((name) => (next[name] ?? Infinity) > (old[name] ?? Infinity));
}

/**
 * Whether anything but the texts of the input schema changed. Whether one schema accepts everything that another accepts
 * is undecidable in general, so every other change needs review.
 */
function acceptsOtherInput(old: ToolDefinition, next: ToolDefinition): boolean {
  return (
    !isDeepStrictEqual(withoutTexts(old.inputSchema), withoutTexts(next.inputSchema)) ||
    !isDeepStrictEqual(new Set(old.fileFields), new Set(next.fileFields))
  );
}

/**
 * Whether texts that people and agents read changed. Any difference of the input schema counts, so that nothing that
 * `withoutTexts` removes goes unreviewed.
 */
function hasOtherTexts(old: Described, next: Described): boolean {
  const textsOf = ({ title, description, inputSchema, examples }: Described) => [
    title,
    description,
    inputSchema,
    examples,
  ];
  const described = new Map(old.credentials.map((one) => [one.name, one]));
  return (
    !isDeepStrictEqual(textsOf(old), textsOf(next)) ||
    next.credentials.some(({ name, description, resource }) => {
      const before = described.get(name);
      if (before === undefined) return false;
      return before.description !== description || before.resource !== resource;
    })
  );
}

const texts = ["title", "description", "$comment"];

/**
 * A schema without its descriptive texts. References may use any part of the document as a schema; if one refers to a
 * part that is not a schema keyword, nothing is removed.
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
