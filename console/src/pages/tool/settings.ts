import type { ToolDetail, ToolVersionDetail } from "@toolhost/contract";
import { definitionOf } from "#lib/definition";
import { isObject, prettyJson } from "#lib/json";
import type { Json } from "#lib/json";
import { formatDuration } from "#lib/format";
import { messages as allMessages } from "./messages-sharing.ts";

const messages = allMessages.settings;

type Authored = ToolDetail | ToolVersionDetail;

/** The settings of a tool as labels and readable values; long values as JSON. */
export function settingsOf(tool: Authored): { label: string; value: Json }[] {
  const { fileFields, credentials, allowedHosts, timeoutMs, limits, source } = tool;
  const dependencies = source?.dependencies ?? {};
  return [
    { label: messages.fileFields, value: listed(fileFields) },
    {
      label: messages.credentials,
      value: credentials.length === 0 ? messages.none : toJson(credentials),
    },
    { label: messages.allowedHosts, value: listed(allowedHosts) },
    {
      label: messages.packages,
      value: Object.keys(dependencies).length === 0 ? messages.none : dependencies,
    },
    { label: messages.timeout, value: formatDuration(timeoutMs) },
    {
      label: messages.limits,
      value: Object.keys(limits).length === 0 ? messages.defaultLimits : toJson(limits),
    },
    {
      label: messages.isolation,
      value: tool.isolation === "fresh" ? messages.freshIsolate : messages.sharedIsolate,
    },
    { label: messages.idempotent, value: tool.idempotent ? messages.isIdempotent : messages.no },
    { label: messages.confirm, value: tool.confirm ? messages.isConfirmed : messages.no },
  ];
}

function listed(values: readonly string[]): string {
  return values.length === 0 ? messages.none : values.join(", ");
}

function toJson(value: object): Json {
  return JSON.parse(JSON.stringify(value)) as Json;
}

export const labels: Readonly<Record<string, string>> = {
  title: messages.title,
  description: messages.description,
  inputSchema: messages.inputSchema,
  outputSchema: messages.outputSchema,
  fileFields: messages.fileFields,
  credentials: messages.credentials,
  allowedHosts: messages.allowedHosts,
  timeoutMs: messages.timeoutMs,
  limits: messages.limits,
  isolation: messages.isolation,
  idempotent: messages.idempotent,
  confirm: messages.confirm,
  examples: messages.examples,
  dependencies: messages.packages,
  language: messages.language,
};

/** Formats a value for a line-by-line comparison: lists and flat objects have a line for each entry. */
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

/** The parts of a tool as text for a line-by-line comparison, the code first; empty when the source is hidden. */
export function partsOf(tool: Authored): Map<string, string> {
  const { visibility: _, source, ...definition } = definitionOf(tool);
  const written = tool.source;
  const parts = new Map<string, string>([[messages.code, written?.code ?? ""]]);
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
