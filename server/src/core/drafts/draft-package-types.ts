import { toolDependencies } from "@toolhost/contract";
import type { JsonObject, PackageTypes } from "@toolhost/contract";
import type { Caller } from "#core/kernel";
import type { DraftsContext } from "./context.ts";
import { ServiceError } from "#core/kernel";
import { getPackageTypes } from "#core/catalog";
import { explainIssue } from "#lib/explain-issue";
import { isJsonObject } from "#lib/json-object";
import { toPointer } from "#lib/pointer";
import { findOwnDraft } from "./drafts.ts";

/**
 * The types of the packages of the last saved draft. Throws `not_found`, `invalid_tool` if the packages are invalid or
 * cannot be installed, and `unavailable`.
 */
export async function getDraftPackageTypes(
  context: DraftsContext,
  caller: Caller,
  id: string,
  signal?: AbortSignal,
): Promise<PackageTypes> {
  const row = await findOwnDraft(context, caller, id);
  const { source } = JSON.parse(row.definition) as JsonObject;
  const written = isJsonObject(source) ? (source["dependencies"] ?? {}) : {};
  const { data, error } = toolDependencies.safeParse(written, { error: explainIssue });
  if (data !== undefined) {
    const { workspaceId, userId } = caller;
    return getPackageTypes(context, { workspaceId, userId, signal }, data);
  }
  const errors = error.issues.slice(0, 100).map(({ path, message }) => ({
    path: toPointer(["source", "dependencies", ...path]),
    message,
  }));
  throw new ServiceError(
    "invalid_tool",
    "Invalid package name or version in the dependencies of the draft.",
    { errors },
  );
}
