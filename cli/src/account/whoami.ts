import type { Session } from "../session.ts";
import { toTable } from "../terminal/text.ts";

/** Shows whose key is used, where, and what it may do. */
export async function whoami({ connect, terminal }: Session): Promise<void> {
  const { client, address } = await connect();
  const me = await client.request("GET /me");
  terminal.result({ address, ...me }, () =>
    toTable([
      ["Address", address],
      ["User", `${me.user.name} <${me.user.email}>`],
      ["Workspace", `${me.workspace.name} (${me.workspace.id}), as ${me.workspace.role}`],
      ["Permissions", me.scopes.join(" ")],
    ]),
  );
}
