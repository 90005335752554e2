import type { RunStatus, Via } from "@toolhost/contract";
import { oneOf, searchParams, text } from "#lib/search-params";
import { periodMinutes } from "./filters.ts";

const statuses: readonly RunStatus[] = ["running", "completed", "failed", "cancelled"];
const vias: readonly Via[] = ["console", "rest", "mcp", "bot"];

/** The name of a span, or an RFC 3339 timestamp. */
function since(value: unknown): string | undefined {
  const given = text(value);
  if (given === undefined) return undefined;
  const isTimestamp = /^\d{4}-\d{2}-\d{2}T/.test(given) && !Number.isNaN(Date.parse(given));
  return isTimestamp || Object.hasOwn(periodMinutes, given) ? given : undefined;
}

export const validateRunsSearch = searchParams({
  sort: oneOf(["oldest"]),
  q: text,
  toolName: text,
  status: oneOf(statuses),
  via: oneOf(vias),
  userId: text,
  draft: oneOf(["false", "true"]),
  since,
  parentRunId: text,
  credential: text,
  host: text,
  apiKeyId: text,
  appId: text,
});

export type RunsSearch = ReturnType<typeof validateRunsSearch>;
