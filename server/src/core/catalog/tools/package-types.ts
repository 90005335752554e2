import type { PackageTypes } from "@toolhost/contract";
import type { Requester } from "#core/builds";
import type { BuildingContext, CatalogContext } from "../context.ts";
import { chargePoints } from "#core/limits";
import { sha256 } from "#lib/hash";

/** How long a version range stays resolved to the same version. */
const ttlMs = 3_600_000;

/**
 * The types of the package versions that a build would use. Reading them takes seconds, so they are cached for an hour.
 * Throws the errors of builds.
 */
export async function getPackageTypes(
  context: BuildingContext & Pick<CatalogContext, "catalog">,
  requester: Requester,
  dependencies: Readonly<Record<string, string>>,
): Promise<PackageTypes> {
  if (Object.keys(dependencies).length === 0) return { packages: [], files: [] };
  const { workspaceId } = requester;
  const key = sha256(JSON.stringify([workspaceId, Object.entries(dependencies)]));
  const now = context.clock.now();
  const known = context.catalog.packageTypes.get(key);
  if (known !== undefined && now - known.at < ttlMs) return known.types;
  await chargePoints(context, "builds", workspaceId);
  const types = await context.builder.readTypes(requester, { ...dependencies });
  context.catalog.packageTypes.set(key, { types, at: now });
  return types;
}
