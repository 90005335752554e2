const key = "toolhost-workspace";

/**
 * The workspace of this tab. A new tab starts with the one selected last and then keeps its own, so that two tabs can use two
 * workspaces. It is undefined only until the first response of `GET /me`.
 */
export function currentWorkspaceId(): string | undefined {
  const own = sessionStorage.getItem(key);
  if (own !== null) return own;
  const last = localStorage.getItem(key);
  if (last !== null) sessionStorage.setItem(key, last);
  return last ?? undefined;
}

/** Headers that send a later request to the workspace that is selected now. */
export function workspaceHeaders(): Readonly<Record<string, string>> {
  const id = currentWorkspaceId();
  return id === undefined ? {} : { "x-workspace-id": id };
}

/** Selects the workspace in the `workspace` parameter, as after accepting an invitation, and removes the parameter. */
export function applyWorkspaceParam(): void {
  const url = new URL(location.href);
  const id = url.searchParams.get("workspace");
  if (id === null) return;
  setCurrentWorkspace(id);
  url.searchParams.delete("workspace");
  history.replaceState(history.state, "", url);
}

/** Selects the workspace for this tab and for new tabs. */
export function setCurrentWorkspace(id: string): void {
  sessionStorage.setItem(key, id);
  localStorage.setItem(key, id);
}

/** For a user who is in no workspace. */
export function clearCurrentWorkspace(): void {
  sessionStorage.removeItem(key);
  localStorage.removeItem(key);
}
