import { scopes } from "@toolhost/contract";
import type { Target } from "./send-hostile.ts";
import { draftOf, expectStatus } from "./server.ts";
import type { Server } from "./server.ts";

/** A second workspace of the owner, with a key and a fast tool. */
export async function openSecondWorkspace(server: Server): Promise<Target & { tool: string }> {
  const made = expectStatus(
    201,
    await server.callAsOwner("POST", "/workspaces", { name: "Second" }),
  );
  const inside = { "x-workspace-id": String(made.body.id) };
  const draft = { name: "Second", scopes: Object.keys(scopes) };
  const key = expectStatus(201, await server.callAsOwner("POST", "/api-keys", draft, inside));
  const apiKey = String(key.body.key);
  const body = draftOf("export default async (input) => ({ ...input })");
  const tool = expectStatus(201, await server.callWithKey(apiKey)("POST", "/tools", body));
  return { baseUrl: server.baseUrl, apiKey, tool: String(tool.body.name) };
}
