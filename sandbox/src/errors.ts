/** No run can start: the sandbox found no way to isolate one here, or is stopping. */
export class SandboxUnavailableError extends Error {
  override readonly name = "SandboxUnavailableError";
}

/** The words of whatever was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
