import { isIP } from "node:net";
import { parsePrivateHost } from "@toolhost/sandbox";
import { z } from "zod";
import { isNetwork } from "#lib/networks";

/** A whole number in a range, both ends included. */
export const whole = (min: number, max: number) => {
  const message = `must be a whole number from ${min} to ${max}`;
  const isWhole = (value: number) => Number.isInteger(value) && value >= min && value <= max;
  return z.coerce.number(message).refine(isWhole, message).meta({ minimum: min, maximum: max });
};

/** A switch: `1` is on. */
export const flag = (fallback: "0" | "1") =>
  z
    .enum(["0", "1"])
    .default(fallback)
    .transform((text) => text === "1");

/** A limit per time window. 0 turns it off. */
export const limit = whole(0, 1_000_000_000);

/** A URL, as it is. */
export const webAddress = z.url({ protocol: /^https?$/, error: "must be an http or https URL" });

/** A URL. A trailing slash is removed. */
export const address = webAddress.transform((url) => url.replace(/\/+$/, ""));

/** The base URL of an API. */
export const apiAddress = webAddress.endsWith("/", "must end with a slash");

/** A comma-separated list. */
export const listOf = (isValid: (entry: string) => boolean, message: string) =>
  z
    .string()
    .transform((text) => text.split(",").map((entry) => entry.trim()))
    .refine((entries) => entries.every(isValid), message);

/** Schemes that browsers handle themselves. */
const webSchemes = new Set(
  "about blob data file filesystem ftp http https javascript vbscript view-source ws wss".split(
    " ",
  ),
);

/** Private hosts that tools may reach. */
export const hostList = listOf(
  (entry) => parsePrivateHost(entry) !== undefined,
  'must be hosts or IP addresses such as "10.0.0.5:8080", separated by commas',
);

const isOrigin = (entry: string) => URL.canParse(entry) && new URL(entry).origin === entry;

/** Web origins. */
export const originList = listOf(
  isOrigin,
  'must be origins such as "https://app.example.com", separated by commas',
);

/** Web origins, or `*` for all. */
export const corsOriginList = listOf(
  (entry) => entry === "*" || isOrigin(entry),
  'must be "*", or origins such as "https://app.example.com", separated by commas',
);

/** IP addresses and networks. */
export const networkList = listOf(
  isNetwork,
  'must be IP addresses or networks such as "10.0.0.0/8", separated by commas',
);

/** Private URI schemes. */
export const schemeList = listOf(
  (entry) => /^[a-z][a-z0-9+.-]*$/.test(entry) && !webSchemes.has(entry),
  'must be private schemes such as "cursor", separated by commas',
);

/** An encryption key. */
export const encryptionKey = z
  .string()
  .regex(/^(?:[0-9a-fA-F]{64}|[A-Za-z0-9+/]{43}=)$/, "must be 32 bytes as 64 hex digits or base64");

/** Whether only this machine reaches what listens on the host. */
export function isLoopbackHost(host: string): boolean {
  if (host === "localhost" || host === "::1") return true;
  return isIP(host) === 4 && host.startsWith("127.");
}
