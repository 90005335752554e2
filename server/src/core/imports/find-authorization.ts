import type { Caller } from "#core/kernel";
import { ServiceError } from "#core/kernel";
import { useCredential } from "#core/vault";
import type { ImportsContext } from "./context.ts";

/** The value of the header `authorization` for an MCP server. Throws `connection_failed`, `invalid_request`, `unavailable`. */
export async function findAuthorization(
  context: ImportsContext,
  caller: Caller,
  { credential: name, url }: { credential: string; url: string },
): Promise<string> {
  const found = await useCredential(context, caller, { name, url });
  if (found.status === "ready") return found.headerValue;
  if (found.status === "missing") {
    const message = `You have no credential ${name}. Create it; the workspace's can be used by admins only.`;
    throw new ServiceError("connection_failed", message);
  }
  const page = found.connectUrl === undefined ? "" : ` at ${found.connectUrl}`;
  throw new ServiceError("connection_failed", `Connect the credential ${name}${page}, then retry.`);
}
