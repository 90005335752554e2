import type { JsonObject } from "@toolhost/contract";
import { isObject } from "#lib/json";
import { jsonDifferences } from "./json-diff.ts";
import type { Difference } from "./json-diff.ts";

/** What a tool has that does not say otherwise. */
const defaults: JsonObject = {
  outputSchema: { properties: [] },
  fileFields: [],
  credentials: [],
  allowedHosts: [],
  timeoutMs: 900_000,
  limits: {},
  isolation: "reuse",
  idempotent: false,
  confirm: false,
  examples: [],
};

/** Where two definitions differ in anything but their code, which is shown line by line. */
export function settingsDifferences(before: JsonObject, after: JsonObject): Difference[] {
  return jsonDifferences(withoutCode(before), withoutCode(after)).filter(
    // Left out, it stays what it is.
    ({ path, after: value }) => path !== "/visibility" || value !== undefined,
  );
}

function withoutCode(definition: JsonObject): JsonObject {
  const { source, ...rest } = definition;
  const { code: _code, dependencies, ...others } = isObject(source) ? source : {};
  return { ...defaults, ...rest, source: { ...others, dependencies: dependencies ?? {} } };
}
