import type { Credential, Tool } from "@toolhost/contract";

/** A missing credential, as the tools that require it declare it. */
export type RequiredCredential = {
  name: string;
  description: string;
  hosts: string[];
  /** The MCP server at which users sign in to get it. */
  resource: string | undefined;
  tools: Tool[];
};

/** The tools that declare each credential. */
export function toolsByCredential(tools: readonly Tool[]): Map<string, Tool[]> {
  const found = new Map<string, Tool[]>();
  for (const tool of tools) {
    for (const { name } of tool.credentials) found.set(name, [...(found.get(name) ?? []), tool]);
  }
  return found;
}

/** The credentials that tools require and that are missing. */
export function requiredCredentials(
  tools: readonly Tool[],
  credentials: readonly Credential[],
): RequiredCredential[] {
  const existing = new Set(credentials.map(({ name }) => name));
  return [...toolsByCredential(tools)]
    .filter(([name]) => !existing.has(name))
    .map(([name, declaring]) => {
      const declarations = declaring.flatMap(({ credentials: all }) =>
        all.filter((one) => one.name === name),
      );
      return {
        name,
        description: declarations[0]?.description ?? "",
        resource: declarations.find(({ resource }) => resource !== undefined)?.resource,
        hosts: [...new Set(declarations.flatMap(({ hosts }) => hosts))],
        tools: declaring,
      };
    });
}
