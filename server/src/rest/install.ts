import { installInfo } from "@toolhost/contract";
import type { Context } from "#core/context";
import { describeInstall } from "#core/agents";

/** How to connect agents. It is not in the table of routes, as it needs no authentication. */
export const installPath = "/install";

/** Serves it: the same for every client, with the URLs of this server. */
export function createInstallResponse({ config }: Context): () => Response {
  const text = JSON.stringify(installInfo.parse(describeInstall(config)));
  const headers = { "content-type": "application/json", "cache-control": "public, max-age=300" };
  return () => new Response(text, { headers });
}

/** The path in the OpenAPI document. */
export function describeInstallPath(schema: object, problems: object): object {
  return {
    get: {
      operationId: "getInstallInfo",
      tags: ["Account"],
      summary: "Get instructions to connect agents",
      description: "Returns steps, commands and links for each MCP client. Requires no API key.",
      security: [],
      responses: {
        200: { description: "Success.", content: { "application/json": { schema } } },
        ...problems,
      },
    },
  };
}
