import type { Caller } from "#core/kernel";
import { ServiceError } from "#core/kernel";
import { BridgeError, bridgeScheme, callBridge } from "#core/runs";
import { newId } from "#lib/ids";
import type { ImportsContext } from "./context.ts";
import { listBridgedTools } from "./mcp/index.ts";
import type { McpServer } from "./mcp/index.ts";
import { explainMcpError, readingOf } from "./read-mcp.ts";
import type { Reading } from "./stored-import.ts";

/** What the code of a tool calls, which `#core/runs` answers for the user of the bridge. It takes single requests. */
export const bridgedServer: McpServer = {
  url: "http://bridge.internal/",
  transport: "http",
  protocolVersion: "2026-07-28",
};

/** Whether the URL of an import names a bridge. */
export function isBridge(url: string | null): boolean {
  return url?.startsWith(bridgeScheme) === true;
}

/** Lists the tools at a bridge of the caller. Throws `invalid_request` and `connection_failed`. */
export async function readBridge(
  context: ImportsContext,
  { workspaceId, userId }: Caller,
  source: { url?: string | undefined; credential?: string | null },
): Promise<Reading> {
  const { url = "", credential = null } = source;
  if (credential !== null) {
    const message = "must be null, because the process of the bridge has the credentials";
    throw new ServiceError("invalid_request", `Invalid body: \`/credential\` ${message}.`, {
      errors: [{ path: "/credential", message }],
    });
  }
  const bridge = { workspaceId, userId, bridgeName: url.slice(bridgeScheme.length) };
  try {
    const listing = await listBridgedTools((method, params, signal) =>
      callBridge(context, bridge, { id: newId(), method, params }, signal),
    );
    return readingOf(listing, { name: bridge.bridgeName });
  } catch (error) {
    if (!(error instanceof BridgeError)) throw explainMcpError(error, url);
    throw new ServiceError("connection_failed", error.message, { cause: error });
  }
}
