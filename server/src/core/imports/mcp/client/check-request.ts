const unknownTool =
  /unknown tool|\btool\b.{0,200}\b(?:not found|does not exist|doesn't exist|unknown)/is;

/** Whether an error says that the server has no tool of this name. */
export function isUnknownTool(error: unknown): boolean {
  return error instanceof Error && unknownTool.test(error.message.slice(0, 1_000));
}

/** Asks the service to list the tools of the server again soon. */
export async function requestCheck(): Promise<void> {
  await fetch("http://imports.internal/check", { method: "POST" }).catch(() => {});
}
