import type { ToolDetail, ToolVersionDetail } from "@toolhost/contract";
import { definitionLabels as labels } from "#lib/definition-messages";
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
    { label: labels.fileFields, value: listed(fileFields) },
    {
      label: labels.credentials,
      value: credentials.length === 0 ? messages.none : toJson(credentials),
    },
    { label: labels.allowedHosts, value: listed(allowedHosts) },
    {
      label: labels.dependencies,
      value: Object.keys(dependencies).length === 0 ? messages.none : dependencies,
    },
    { label: messages.timeout, value: formatDuration(timeoutMs) },
    {
      label: labels.limits,
      value: Object.keys(limits).length === 0 ? messages.defaultLimits : toJson(limits),
    },
    {
      label: labels.isolation,
      value: tool.isolation === "fresh" ? messages.freshIsolate : messages.sharedIsolate,
    },
    { label: labels.idempotent, value: tool.idempotent ? messages.isIdempotent : messages.no },
    { label: labels.confirm, value: tool.confirm ? messages.isConfirmed : messages.no },
  ];
}

function listed(values: readonly string[]): string {
  return values.length === 0 ? messages.none : values.join(", ");
}

function toJson(value: object): Json {
  return JSON.parse(JSON.stringify(value)) as Json;
}
