type MissingCredential = {
  name: string;
  workspaceId: string;
  /** The tool that needs it, and declares for which hosts. */
  toolName?: string | undefined;
  /** The version, which saving the credential also approves. */
  version?: number | undefined;
  /** The caller's draft that needs it, instead of a tool. */
  draftId?: string | undefined;
};

/** The page on which a user adds a missing credential, in the workspace where it is missing. */
export function addAddress(
  baseUrl: string,
  { name, workspaceId, toolName, version, draftId }: MissingCredential,
): string {
  const query = new URLSearchParams({ connect: name });
  if (toolName !== undefined) query.set("tool", toolName);
  if (version !== undefined) query.set("version", String(version));
  if (draftId !== undefined) query.set("draft", draftId);
  query.set("workspace", workspaceId);
  return `${baseUrl}/credentials?${query.toString()}`;
}

type Exposed = { name: string; workspaceId: string; owner: string };

/** The page on which the owner of a credential allows code to read its value. */
export function exposeAddress(baseUrl: string, { name, workspaceId, owner }: Exposed): string {
  const query = new URLSearchParams({ expose: name, owner, workspace: workspaceId });
  return `${baseUrl}/credentials?${query.toString()}`;
}
