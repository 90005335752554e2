import type { PackageTypes } from "@toolhost/contract";
import type { AuthoringContext, Context } from "#core/context";
import { sha256 } from "#lib/hash";
import { withDependencies } from "./install-dependencies.ts";
import { readPackageTypes } from "./read-package-types.ts";

/** Types that were read lately in this process, by workspace and packages. */
export type KeptPackageTypes = {
  answer: Promise<PackageTypes>;
  at: number;
  isFailed: boolean;
};

/** So long a range is taken for the version that it meant. */
const keptMs = 3_600_000;

/**
 * The types of packages, as building a tool would install them. Installing takes seconds, so answers are kept for an hour, and
 * who asks meanwhile waits for the same. Throws what installing throws.
 */
export function getPackageTypes(
  context: AuthoringContext & Pick<Context, "packageTypes">,
  workspaceId: string,
  dependencies: Readonly<Record<string, string>>,
): Promise<PackageTypes> {
  const names = Object.keys(dependencies);
  if (names.length === 0) return Promise.resolve({ packages: [], files: [] });
  const key = sha256(JSON.stringify([workspaceId, Object.entries(dependencies)]));
  const now = context.clock.now();
  const known = context.packageTypes.get(key);
  if (known !== undefined && !known.isFailed && now - known.at < keptMs) return known.answer;
  const answer = context.buildSlots.use(() =>
    withDependencies(context, dependencies, (folder) => readPackageTypes(folder, names)),
  );
  const kept = { answer, at: now, isFailed: false };
  context.packageTypes.set(key, kept);
  // Whoever asked is told; whoever asks next has it tried again.
  answer.catch(() => {
    kept.isFailed = true;
  });
  return answer;
}
