/**
 * No run can start: no isolation layer works on this machine, no process can be started, or the sandbox is stopping. The tool has
 * not started.
 */
export class SandboxUnavailableError extends Error {
  override readonly name = "SandboxUnavailableError";
}

/** The message of anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
