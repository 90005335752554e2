type Wanted = {
  name: string;
  workspaceId: string;
  /** The tool that needs it, which says for which hosts. */
  toolName?: string | undefined;
};

/** The page on which a person gives a credential that is missing, in the workspace where it is. */
export function addAddress(baseUrl: string, { name, workspaceId, toolName }: Wanted): string {
  const query = new URLSearchParams({ connect: name });
  if (toolName !== undefined) query.set("tool", toolName);
  query.set("workspace", workspaceId);
  return `${baseUrl}/credentials?${query.toString()}`;
}
