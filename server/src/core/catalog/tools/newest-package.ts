import { isBuiltin } from "node:module";
import type { NewestPackage } from "@toolhost/contract";
import type { Caller } from "#core/kernel";
import { ServiceError } from "#core/kernel";
import { chargePoints } from "#core/limits";
import type { BuildingContext } from "../context.ts";

/**
 * The newest version of a package of the registry, which a tool can declare. Throws `invalid_request` for modules of Node.js,
 * `not_found`, and the errors of builds.
 */
export async function getNewestPackage(
  context: BuildingContext,
  { workspaceId, userId }: Caller,
  name: string,
  signal?: AbortSignal,
): Promise<NewestPackage> {
  if (isBuiltin(name)) {
    const path = "/name";
    const message = "must be a package, not a module of Node.js";
    throw new ServiceError(
      "invalid_request",
      `"${name}" is a module of Node.js, which a package can't replace.`,
      { errors: [{ path, message }] },
    );
  }
  await chargePoints(context, "builds", workspaceId);
  const requester = { workspaceId, userId, signal };
  const version = await context.builder.findNewestVersion(requester, name);
  if (version === undefined) {
    const message = `The package registry has no package "${name}", or no version of it that a tool can use.`;
    throw new ServiceError("not_found", message);
  }
  return { name, version };
}
