import { createHmac, timingSafeEqual } from "node:crypto";

/** Older requests may be replays. */
const windowSeconds = 300;

/** Whether Slack signed exactly these bytes within the window (signature version `v0`). */
export function isSignedBySlack(
  headers: Headers,
  body: Uint8Array,
  { signingSecret, now }: { signingSecret: string; now: number },
): boolean {
  const timestamp = headers.get("x-slack-request-timestamp") ?? "";
  if (!/^\d{1,12}$/.test(timestamp)) return false;
  if (Math.abs(now / 1_000 - Number(timestamp)) > windowSeconds) return false;
  const digest = createHmac("sha256", signingSecret).update(`v0:${timestamp}:`).update(body);
  const expected = Buffer.from(`v0=${digest.digest("hex")}`);
  const given = Buffer.from(headers.get("x-slack-signature") ?? "");
  return given.length === expected.length && timingSafeEqual(given, expected);
}
