import { hash } from "node:crypto";
import { createToolInput } from "@toolhost/contract";
import type { CreateToolInput, ToolDetail } from "@toolhost/contract";
import { CliError } from "../terminal/cli-error.ts";
import { exitCodes } from "../terminal/exit-codes.ts";

/** The complete definition of a tool, with all defaults: what is compared, hashed and published. */
export type Definition = CreateToolInput;

const fields = Object.keys(createToolInput.shape) as (keyof Definition)[];
const defaults: Readonly<Record<string, unknown>> = createToolInput.parse({
  title: "x",
  description: "x",
  inputSchema: {},
  source: { language: "typescript", code: "x" },
});

/** Checks the definition in a folder. Throws an error that lists every problem with its place. */
export function parseDefinition(draft: unknown, folder: string): Definition {
  const { success, data, error } = createToolInput.safeParse(draft);
  if (success) return normalize(data);
  const problems = error.issues.map(({ path, message }) => `  /${path.join("/")}: ${message}`);
  throw new CliError(`${folder}/tool.json is not valid:\n${problems.slice(0, 20).join("\n")}`, {
    code: "invalid_tool",
    exitCode: exitCodes.usage,
  });
}

/** The definition of a tool on the server; undefined for one whose source is not visible, because it is installed. */
export function definitionOf(detail: ToolDetail): Definition | undefined {
  if (detail.source === undefined) return undefined;
  const given = Object.fromEntries(fields.map((name) => [name, detail[name] ?? defaults[name]]));
  return normalize(given as Definition);
}

/** Removes differences that mean nothing: the server adds empty members to schemas, and Git changes the ends of lines. */
function normalize(definition: Definition): Definition {
  const { language, code, dependencies = {} } = definition.source;
  const { properties = {}, required = [] } = definition.inputSchema;
  const hasPackages = Object.keys(dependencies).length > 0;
  return {
    ...definition,
    inputSchema: { ...definition.inputSchema, properties, required },
    source: {
      language,
      code: code.replaceAll("\r\n", "\n"),
      ...(hasPackages ? { dependencies } : {}),
    },
  };
}

/** Identifies a definition by its content. The order of members and of examples does not count. */
export function hashOf(definition: Definition): string {
  const examples = definition.examples.map(canonicalJson).toSorted();
  return `sha256-${hash("sha256", canonicalJson({ ...definition, examples }), "hex").slice(0, 40)}`;
}

/** JSON with sorted members. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === "object" && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}

/** The members that differ, as `PATCH /tools/{name}` expects them: saving approves only what is sent. */
export function changesBetween(from: Definition, to: Definition): Partial<Definition> {
  const changed = fields.filter((name) => canonicalJson(from[name]) !== canonicalJson(to[name]));
  return Object.fromEntries(changed.map((name) => [name, to[name]]));
}

/** The content of `tool.json`: everything but the code, without members that have their default. */
export function settingsOf(definition: Definition): Record<string, unknown> {
  const { source, ...rest } = definition;
  const { code: _, ...sourceRest } = source;
  const entries = fields.flatMap((name): [string, unknown][] => {
    if (name === "source") return [[name, sourceRest]];
    return canonicalJson(rest[name]) === canonicalJson(defaults[name]) ? [] : [[name, rest[name]]];
  });
  return Object.fromEntries(entries);
}
