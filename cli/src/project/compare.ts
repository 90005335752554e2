/** What the project and the server had in common when they were last the same. */
export type Base = {
  version: number;
  /**
   * When the server stored this version. A number alone does not identify a version: after a restore from a backup, it is used again.
   */
  updatedAt?: string | undefined;
  /** Of the folder's content. */
  hash: string;
  /** Of the server's content, if the server stored something else than it was sent. */
  serverHash?: string | undefined;
};

/** The three sides of a tool. A side that does not exist is undefined. */
export type Sides = {
  base: Base | undefined;
  /** The hash of the folder's content. */
  local: string | undefined;
  remote: { version: number; updatedAt: string; hash: string } | undefined;
};

type Version = Pick<Base, "version" | "updatedAt">;

/** Whether the server still has the version of a base, so that its content is known without reading it. */
export const isSameVersion = (base: Version, live: Version): boolean =>
  base.updatedAt !== undefined &&
  base.updatedAt === live.updatedAt &&
  base.version === live.version;

/** The state of a tool between project and server. */
export type State =
  | "unchanged"
  | "new"
  | "changed"
  | "deleted"
  | "changed on the server"
  | "archived on the server"
  | "only on the server"
  | "same change"
  | "same content, not linked"
  | "gone"
  | "conflict: changed on both sides"
  | "conflict: rolled back on the server"
  | "conflict: deleted here, changed on the server"
  | "conflict: changed here, archived on the server"
  | "conflict: not linked"
  | "conflict: several tools";

/** Whether project and server have changes that exclude each other. */
export const isConflict = (state: State): boolean => state.startsWith("conflict");

/**
 * Compares the folder and the server with what they last had in common. A version with the same content as before is no change,
 * such as one that was restored.
 */
export function compare({ base, local, remote }: Sides): State {
  if (base === undefined) {
    if (local === undefined) return remote === undefined ? "gone" : "only on the server";
    if (remote === undefined) return "new";
    return local === remote.hash ? "same change" : "conflict: not linked";
  }
  const isLocalSame = local === base.hash;
  if (remote === undefined) {
    if (local === undefined) return "gone";
    return isLocalSame
      ? "archived on the server"
      : "conflict: changed here, archived on the server";
  }
  const isRemoteSame =
    isSameVersion(base, remote) || remote.hash === (base.serverHash ?? base.hash);
  if (local === undefined) {
    return isRemoteSame ? "deleted" : "conflict: deleted here, changed on the server";
  }
  if (isLocalSame) return isRemoteSame ? "unchanged" : "changed on the server";
  if (isRemoteSame) return "changed";
  return local === remote.hash ? "same change" : "conflict: changed on both sides";
}
