import type { Client } from "@toolhost/client";
import type { ImportedTool } from "@toolhost/contract";

export type MissingCredential = { name: string; hosts: readonly string[] };

/** So many tools are looked up. Those of one import share their credentials. */
const maxTools = 20;

/** The credentials that created tools need and the user does not have. Nothing if the key may not list them. */
export async function findMissingCredentials(
  client: Client,
  results: readonly ImportedTool[],
): Promise<MissingCredential[]> {
  const names = results.flatMap(({ toolName, problem }) =>
    toolName === null || problem !== null ? [] : [toolName],
  );
  const needed = new Map<string, MissingCredential>();
  for (const name of names.slice(0, maxTools)) {
    const { credentials } = await client.request("GET /tools/{name}", { params: { name } });
    for (const one of credentials) needed.set(one.name, { name: one.name, hosts: one.hosts });
  }
  if (needed.size === 0) return [];
  try {
    for await (const { name } of client.list("/credentials", { query: { limit: 200 } })) {
      needed.delete(name);
    }
  } catch {
    // Without the right to list credentials, the run says what it lacks.
    return [];
  }
  return [...needed.values()];
}
