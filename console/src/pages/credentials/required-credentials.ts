import type { Credential, Tool } from "@toolhost/contract";

/** A name that tools ask for and nobody has given, with what the tools say of it. */
export type RequiredCredential = {
  name: string;
  description: string;
  hosts: string[];
  tools: Tool[];
};

/** The tools that declare each name. */
export function toolsByCredential(tools: readonly Tool[]): Map<string, Tool[]> {
  const found = new Map<string, Tool[]>();
  for (const tool of tools) {
    for (const { name } of tool.credentials) found.set(name, [...(found.get(name) ?? []), tool]);
  }
  return found;
}

/** What tools ask for and is not there. */
export function requiredCredentials(
  tools: readonly Tool[],
  credentials: readonly Credential[],
): RequiredCredential[] {
  const there = new Set(credentials.map(({ name }) => name));
  return [...toolsByCredential(tools)]
    .filter(([name]) => !there.has(name))
    .map(([name, askers]) => {
      const asked = askers.flatMap(({ credentials: all }) =>
        all.filter((one) => one.name === name),
      );
      return {
        name,
        description: asked[0]?.description ?? "",
        hosts: [...new Set(asked.flatMap(({ hosts }) => hosts))],
        tools: askers,
      };
    });
}
