import { installInfo } from "@toolhost/contract";
import type { Context } from "#core/context";
import { describeInstall } from "#core/agents";

/** How to connect agents. No route of the table, for nobody has to be known to read it. */
export const installPath = "/install";

/** Serves it: the same for everybody, with this server's addresses. */
export function createInstallAnswer({ config }: Context): () => Response {
  const text = JSON.stringify(installInfo.parse(describeInstall(config)));
  const headers = { "content-type": "application/json", "cache-control": "public, max-age=300" };
  return () => new Response(text, { headers });
}

/** The path in the API's description. */
export function describeInstallPath(schema: object, problems: object): object {
  return {
    get: {
      operationId: "getInstall",
      tags: ["Account"],
      summary: "Read how agents are connected to this server",
      description: "Steps, commands and links for each MCP client. Needs no key.",
      security: [],
      responses: {
        200: { description: "Success.", content: { "application/json": { schema } } },
        ...problems,
      },
    },
  };
}
