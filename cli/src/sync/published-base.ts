import type { PublishedFrom } from "@toolhost/contract";
import type { Link } from "../project/lock-file.ts";
import type { Repository } from "../project/repository.ts";

/** What the folder and the server last had in common, as far as it is known. */
export type CommonBase = {
  link: Link | undefined;
  /** The commit that had it. */
  commit?: string | undefined;
  /** Why it is not known. */
  note?: string;
};

type Known = {
  folder: string;
  repository: Repository | undefined;
  /** The entry of the lock file. */
  link: Link | undefined;
  /** What the server has recorded at the last push of a commit. */
  published: PublishedFrom | undefined;
  name: string;
  /** The live version; undefined if the tool is archived. */
  liveVersion: number | undefined;
};

/** No content has this hash. */
const unknownHash = "unknown";
/** No version of a tool has this number. */
const noVersion = 0;

/**
 * Finds what both sides last had in common: the newer of the lock file's entry and what the server recorded. CI does not commit the
 * lock file, so its entry can be old. If an unknown commit was published since, everything on the server counts as changed.
 *
 * What the server recorded is a claim of another caller, so only the content of the commit counts, and not the version.
 */
export async function findCommonBase(known: Known): Promise<CommonBase> {
  const { repository, link, published, name, liveVersion } = known;
  if (published === undefined || (await isCurrent(known, published))) return { link };
  const { commit, path, version } = published;
  if (repository !== undefined && (await repository.has(commit))) {
    const isOurs = await repository.isInHistory(commit);
    const common = isOurs ? commit : await repository.forkPoint(commit);
    const hash = common === undefined ? undefined : await repository.hashAt(common, path);
    if (hash !== undefined && isOurs) return { link: { name, version, hash }, commit };
    if (hash !== undefined) {
      // A later version can be a rollback to what both branches had, which someone meant.
      const serverHash = liveVersion === version ? hash : unknownHash;
      return { link: { name, version: noVersion, hash, serverHash }, commit: common };
    }
  }
  const base = link && { name, version: noVersion, hash: link.hash, serverHash: unknownHash };
  const note = `version ${version} is from commit ${commit.slice(0, 10)}, which this clone does not have; fetch the history of the branch`;
  return { link: base, note };
}

/**
 * Whether the lock file's entry is newer than what the server recorded, and of this branch. Git carries a changed lock file to other
 * branches, so an entry for unmerged work counts only if a commit of this branch has its content, such as one that squashes it.
 */
async function isCurrent(
  { folder, repository, link }: Known,
  { commit, version }: PublishedFrom,
): Promise<boolean> {
  if (link === undefined || link.version < version) return false;
  if (repository === undefined || (await repository.isInHistory(commit))) return true;
  const path = repository.pathOf(folder);
  const fork = (await repository.has(commit)) ? await repository.forkPoint(commit) : undefined;
  for (const change of (await repository.changesOf(path, fork)) ?? []) {
    if ((await repository.hashAt(change, path)) === link.hash) return true;
  }
  return false;
}
