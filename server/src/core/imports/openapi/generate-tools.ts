import { OpenApiError } from "./errors.ts";
import { documentLimits } from "./limits.ts";
import { makeTool } from "./make-definition.ts";
import { loadDocument, tryPlan } from "./read-document.ts";
import type { GeneratedTools, GenerateOptions } from "./types.ts";

/**
 * Makes tools of the operations with the given keys. An operation that cannot become a tool, or no longer exists, is in
 * `skipped`. Throws `OpenApiError` for problems of the whole document and of the options.
 */
export function generateTools(bytes: Uint8Array, options: GenerateOptions): GeneratedTools {
  if (options.keys.length > documentLimits.keys) {
    throw new OpenApiError(
      "invalid_options",
      `${options.keys.length} operations are too many at once; the limit is ${documentLimits.keys}. Import them in several steps.`,
    );
  }
  const { parts, entries, skipped } = loadDocument(bytes);
  const byKey = new Map(entries.map((entry) => [entry.key, entry]));
  const made: GeneratedTools = { tools: [], skipped: [] };
  for (const key of new Set(options.keys)) {
    const entry = byKey.get(key);
    const plan = entry === undefined ? undefined : tryPlan(parts, entry);
    if (plan === undefined) {
      const known = skipped.find((one) => one.key === key);
      made.skipped.push(known ?? { key, reason: "The document does not contain this operation." });
    } else if ("reason" in plan) made.skipped.push(plan);
    else made.tools.push(makeTool(plan, options));
  }
  return made;
}
