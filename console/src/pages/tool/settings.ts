import type { ToolDetail, ToolVersionDetail } from "@toolhost/contract";
import { definitionOf } from "#lib/definition";
import { isObject, prettyJson } from "#lib/json";
import type { Json } from "#lib/json";
import { formatDuration } from "#lib/format";

type Authored = ToolDetail | ToolVersionDetail;

/** What a tool is set to, in words people know; long values as JSON. */
export function settingsOf(tool: Authored): { label: string; value: Json }[] {
  const { fileFields, credentials, allowedHosts, timeoutMs, limits, source } = tool;
  const dependencies = source?.dependencies ?? {};
  return [
    { label: "File fields", value: listed(fileFields) },
    { label: "Credentials", value: credentials.length === 0 ? "none" : toJson(credentials) },
    { label: "Allowed hosts", value: listed(allowedHosts) },
    {
      label: "npm packages",
      value: Object.keys(dependencies).length === 0 ? "none" : dependencies,
    },
    { label: "Longest run", value: formatDuration(timeoutMs) },
    { label: "Limits", value: Object.keys(limits).length === 0 ? "the server's" : toJson(limits) },
    {
      label: "Isolation",
      value:
        tool.isolation === "fresh" ? "a new isolate for each run" : "runs may share an isolate",
    },
    { label: "Idempotent", value: tool.idempotent ? "yes: may run again when a node dies" : "no" },
    { label: "Asks before it runs", value: tool.confirm ? "yes, in chats" : "no" },
  ];
}

function listed(values: readonly string[]): string {
  return values.length === 0 ? "none" : values.join(", ");
}

function toJson(value: object): Json {
  return JSON.parse(JSON.stringify(value)) as Json;
}

export const labels: Readonly<Record<string, string>> = {
  title: "Title",
  description: "Description",
  inputSchema: "Input schema",
  outputSchema: "Output schema",
  fileFields: "File fields",
  credentials: "Credentials",
  allowedHosts: "Allowed hosts",
  timeoutMs: "Longest run (ms)",
  limits: "Limits",
  isolation: "Isolation",
  idempotent: "Idempotent",
  confirm: "Asks before it runs",
  examples: "Examples",
  dependencies: "npm packages",
  language: "Language",
};

/** A value as text to be compared line by line: lists have a line for each entry, and so have objects without inner ones. */
export function toLines(value: Json): string {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return value.map(toLine).join("\n");
  const isFlat = isObject(value) && Object.values(value).every((one) => typeof one !== "object");
  if (!isFlat) return prettyJson(value);
  return Object.entries(value)
    .map(([name, one]) => `${name}: ${toLine(one)}`)
    .join("\n");
}

function toLine(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** All that was written, part by part as text that can be compared line by line; the code comes first. */
export function partsOf(tool: Authored): Map<string, string> {
  const { visibility: _, source, ...definition } = definitionOf(tool);
  const written = tool.source;
  const parts = new Map<string, string>([["Code", written?.code ?? ""]]);
  const rest = {
    ...definition,
    dependencies: written?.dependencies ?? {},
    language: written?.language ?? "",
  };
  for (const [name, value] of Object.entries(rest)) {
    parts.set(labels[name] ?? name, toLines(value));
  }
  return source === undefined ? new Map() : parts;
}
