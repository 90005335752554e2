import { formatTime } from "@toolhost/ui/time";
import type { Choice } from "#components/select-field";
import { messages } from "./messages.ts";

const text = messages.form;

export type Expiration = keyof typeof text.expirations;

/** How long a key is valid, in days. */
export const expirations: readonly Choice<Expiration>[] = (
  ["30", "90", "365", "never"] as const
).map((id) => ({ id, label: text.expirations[id] }));

/** When a key created at `now` expires; null for never. */
export function expiresAt(expiration: Expiration, now: Date): string | null {
  if (expiration === "never") return null;
  return new Date(now.getTime() + Number(expiration) * 86_400_000).toISOString();
}

/** Describes when a key expires. */
export function expirationText(expiry: string | null): string {
  if (expiry === null) return text.neverExpires;
  return text.expiresOn(formatTime(expiry, "date"));
}
