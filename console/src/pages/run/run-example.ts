import type { JsonObject, Run } from "@toolhost/contract";
import { isObject } from "#lib/json";
import type { Json } from "#lib/json";

/** What the service writes in place of a secret in records of runs. */
const redacted = "[redacted]";

/**
 * The example that a run gives, with its input and what it ended with; undefined if nothing can be expected of it. Values that
 * contain redacted secrets are left out, and returned as `omitted`.
 */
export function exampleOfRun({
  status,
  input,
  output,
  error,
}: Pick<Run, "status" | "input" | "output" | "error">):
  | { example: JsonObject; omitted: string[] }
  | undefined {
  const omitted: string[] = [];
  const shown = withoutSecrets(input, "", omitted);
  if (!isObject(shown)) return undefined;
  if (status === "completed" && output !== undefined) {
    // The example expects at least these values, so it stays true without the others.
    const expected = withoutSecrets(output, "", []);
    return { example: { input: shown, output: isObject(expected) ? expected : {} }, omitted };
  }
  if (status !== "failed" || error === undefined) return undefined;
  return { example: { input: shown, expect: { type: "failure", code: error.code } }, omitted };
}

/** The value without parts that contain a redacted secret; undefined if it is one. */
function withoutSecrets(value: Json, path: string, omitted: string[]): Json | undefined {
  if (typeof value === "string") {
    if (!value.includes(redacted)) return value;
    omitted.push(path);
    return undefined;
  }
  if (Array.isArray(value)) {
    return value.flatMap((item, at) => {
      const shown = withoutSecrets(item, `${path}/${at}`, omitted);
      return shown === undefined ? [] : [shown];
    });
  }
  if (!isObject(value)) return value;
  const entries = Object.entries(value).flatMap(([name, member]) => {
    const shown = withoutSecrets(member, `${path}/${name}`, omitted);
    return shown === undefined ? [] : [[name, shown] as const];
  });
  return Object.fromEntries(entries);
}
