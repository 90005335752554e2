import { isLoopback } from "../account/address.ts";
import { discover, readResource } from "../account/oauth.ts";
import { usageError } from "../terminal/cli-error.ts";
import { command } from "../terminal/shell-command.ts";

type Named = {
  /** The service that the person named. */
  address: string;
  /** The client, for the message. */
  id: string;
  isInsecure: boolean;
};

/**
 * Throws unless an address for agents belongs to the service that the person named: it has the same origin, or both sides
 * confirm it. The service names the address, and the address has the sign-in of the service (RFC 9728).
 */
export async function checkAgentAddress(url: string, named: Named): Promise<string> {
  if (!/^https?:\/\/[\w.:[\]/-]+$/.test(url) || !URL.canParse(url)) {
    throw usageError("The service named an address for agents that is not valid.");
  }
  const [agents, service] = [new URL(url), new URL(named.address)];
  if (agents.origin === service.origin) return url;
  const reason = await findReason(agents, service, named);
  if (reason === undefined) return url;
  throw usageError(
    `The service names ${agents.origin} for agents, not ${service.origin}, and ${reason}, so it was not added.`,
    command`toolhost mcp install ${named.id} --url ${agents.origin}   (if you trust this address)`,
  );
}

/** Why an address at another origin is not accepted. */
async function findReason(
  agents: URL,
  service: URL,
  { address, isInsecure }: Named,
): Promise<string | undefined> {
  const isLocal = isLoopback(agents) && isLoopback(service);
  if (agents.protocol !== "https:" && !isLocal && !isInsecure) return "it does not use https";
  try {
    const { issuer } = await discover(address, { isInsecure });
    const { resource, issuers } = await readResource(agents);
    if (resource === agents.href && issuers.includes(issuer)) return undefined;
  } catch {
    // What cannot be read confirms nothing.
  }
  return "that address does not confirm that it belongs to the service";
}
