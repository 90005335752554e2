const key = "toolhost-workspace";

/**
 * The workspace that this tab works in. A new tab begins with the one that was chosen last, and then keeps its own, so two
 * tabs may be in two workspaces. It is unknown only until the first answer of `GET /me`.
 */
export function currentWorkspaceId(): string | undefined {
  const own = sessionStorage.getItem(key);
  if (own !== null) return own;
  const last = localStorage.getItem(key);
  if (last !== null) sessionStorage.setItem(key, last);
  return last ?? undefined;
}

/**
 * Takes the workspace that the address of the page names, as after an invitation was taken, and leaves it out of the address
 * from then on.
 */
export function applyWorkspaceParam(): void {
  const url = new URL(location.href);
  const id = url.searchParams.get("workspace");
  if (id === null) return;
  setCurrentWorkspace(id);
  url.searchParams.delete("workspace");
  history.replaceState(history.state, "", url);
}

/** Makes it this tab's workspace, and that of tabs to come. */
export function setCurrentWorkspace(id: string): void {
  sessionStorage.setItem(key, id);
  localStorage.setItem(key, id);
}

/** For a person who is in no workspace. */
export function clearCurrentWorkspace(): void {
  sessionStorage.removeItem(key);
  localStorage.removeItem(key);
}
