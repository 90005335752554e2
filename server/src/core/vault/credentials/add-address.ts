type Wanted = {
  name: string;
  workspaceId: string;
  /** The tool that needs it, which says for which hosts. */
  toolName?: string | undefined;
  /** Its version, which saving the credential approves as well. */
  version?: number | undefined;
  /** Instead of a tool: the caller's draft that needs it. */
  draftId?: string | undefined;
};

/** The page on which a person adds a credential that is missing, in the workspace where it is missing. */
export function addAddress(
  baseUrl: string,
  { name, workspaceId, toolName, version, draftId }: Wanted,
): string {
  const query = new URLSearchParams({ connect: name });
  if (toolName !== undefined) query.set("tool", toolName);
  if (version !== undefined) query.set("version", String(version));
  if (draftId !== undefined) query.set("draft", draftId);
  query.set("workspace", workspaceId);
  return `${baseUrl}/credentials?${query.toString()}`;
}

type Exposed = { name: string; workspaceId: string; owner: string };

/** The page on which the owner of a credential allows code to see its value. */
export function exposeAddress(baseUrl: string, { name, workspaceId, owner }: Exposed): string {
  const query = new URLSearchParams({ expose: name, owner, workspace: workspaceId });
  return `${baseUrl}/credentials?${query.toString()}`;
}
