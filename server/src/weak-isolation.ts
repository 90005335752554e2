import type { Context } from "#core/context";

/** Whether tools run behind a weaker layer than `bwrap` on a server that other machines can reach. */
export function isWeaklyIsolated({
  config,
  sandbox,
}: Pick<Context, "config" | "sandbox">): boolean {
  const status = sandbox.status();
  return !config.isLoopback && status.ready && status.layer !== "bwrap";
}

export const weakIsolationWarning =
  "WARNING: Other machines can reach this server, and SANDBOX_ISOLATION selects a weaker isolation than bwrap.";
