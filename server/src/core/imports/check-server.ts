import type { ImportsContext } from "./context.ts";

/**
 * Why tools cannot send requests to a server, as far as its URL alone shows it: nothing is resolved or requested, so the answer
 * reveals nothing of private networks. Undefined if nothing is known.
 */
export function explainServer(
  { outbound }: Pick<ImportsContext, "outbound">,
  server: string,
): string | undefined {
  const reason = outbound.explainDeniedText(server);
  return reason === undefined ? undefined : withAdvice(reason);
}

/** Adds the operator's setting to a reason. Of private addresses, the reason says so itself. */
export function withAdvice(reason: string): string {
  return reason.includes("EGRESS_PRIVATE_HOSTS")
    ? `${reason}.`
    : `${reason}. The operator can allow the host with EGRESS_PRIVATE_HOSTS.`;
}
