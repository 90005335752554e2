/** How long to wait for a run, and the value of `Preference-Applied`. */
export type Wait = { waitMs: number; applied: string | undefined };

const maxWaitSeconds = 55;

/**
 * Reads `Prefer: wait=N` and `Prefer: respond-async` (RFC 7240, sections 4.1 and 4.3). A wait is limited
 * to 55 s. Unknown preferences are ignored, as the standard requires.
 */
export function readPrefer(header: string | null, defaultWaitMs: number): Wait {
  const preferences = (header ?? "").split(",").map((part) => part.split(";")[0]?.trim() ?? "");
  if (preferences.some((preference) => preference.toLowerCase() === "respond-async")) {
    return { waitMs: 0, applied: "respond-async" };
  }
  for (const preference of preferences) {
    const seconds = /^wait\s*=\s*"?(\d{1,9})"?$/i.exec(preference)?.[1];
    if (seconds !== undefined) {
      const wait = Math.min(Number(seconds), maxWaitSeconds);
      return { waitMs: wait * 1_000, applied: `wait=${wait}` };
    }
  }
  return { waitMs: defaultWaitMs, applied: undefined };
}
