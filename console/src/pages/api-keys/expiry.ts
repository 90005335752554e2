import type { Choice } from "#components/select-field";

export type Expiry = "30" | "90" | "365" | "never";

/** How long a key may hold, in days. */
export const expiries: readonly Choice<Expiry>[] = [
  { id: "30", label: "30 days" },
  { id: "90", label: "90 days" },
  { id: "365", label: "One year" },
  { id: "never", label: "Until it is revoked" },
];

/** The moment at which a key ends that is made now; null where it does not end by itself. */
export function expiresAt(expiry: Expiry, now: Date): string | null {
  if (expiry === "never") return null;
  return new Date(now.getTime() + Number(expiry) * 86_400_000).toISOString();
}

/** Until when a key holds, in words. */
export function expiryText(end: string | null): string {
  if (end === null) return "It holds until it is revoked.";
  return `It holds until ${new Date(end).toLocaleDateString("en-GB", { dateStyle: "long" })}.`;
}
