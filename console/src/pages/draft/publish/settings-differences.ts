import type { JsonObject } from "@toolhost/contract";
import { definitionDefaults } from "#lib/definition";
import { isObject } from "#lib/json";
import { jsonDifferences } from "./json-diff.ts";
import type { Difference } from "./json-diff.ts";

/** Compares two definitions without their code, which is compared line by line. */
export function settingsDifferences(before: JsonObject, after: JsonObject): Difference[] {
  return jsonDifferences(withoutCode(before), withoutCode(after)).filter(
    // A missing visibility leaves the current one unchanged.
    ({ path, after: value }) => path !== "/visibility" || value !== undefined,
  );
}

function withoutCode(definition: JsonObject): JsonObject {
  const { source, ...rest } = definition;
  const { code: _code, dependencies, ...others } = isObject(source) ? source : {};
  return {
    ...definitionDefaults,
    ...rest,
    source: { ...others, dependencies: dependencies ?? {} },
  };
}
