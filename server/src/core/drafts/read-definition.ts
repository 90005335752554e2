import { createToolInput } from "@toolhost/contract";
import type { CreateToolInput, ErrorDetail, JsonObject } from "@toolhost/contract";
import { ServiceError } from "#core/kernel";
import { explainIssue } from "#lib/explain-issue";
import { toPointer } from "#lib/pointer";

const maxErrors = 100;

/**
 * Parses a draft's definition. Without `visibility`, the current one applies. Throws `invalid_tool` with every missing
 * or invalid field.
 */
export function readDefinition(
  text: string,
  current: Pick<CreateToolInput, "visibility"> | undefined,
): CreateToolInput {
  const written = JSON.parse(text) as JsonObject;
  const defaults = current === undefined ? {} : { visibility: current.visibility };
  const parsed = createToolInput.safeParse({ ...defaults, ...written }, { error: explainIssue });
  if (parsed.success) return parsed.data;
  const errors: ErrorDetail[] = parsed.error.issues.slice(0, maxErrors).flatMap((issue) =>
    issue.code === "unrecognized_keys"
      ? issue.keys.slice(0, maxErrors).map((key) => ({
          path: toPointer([...issue.path, key]),
          message: "is not a field of a tool",
        }))
      : [{ path: toPointer(issue.path), message: issue.message }],
  );
  const [first] = errors;
  throw new ServiceError(
    "invalid_tool",
    `${first?.path ?? ""} ${first?.message ?? "is not valid"}`,
    {
      errors: errors.slice(0, maxErrors),
    },
  );
}
