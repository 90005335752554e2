import { z } from "zod";

/** A host that a tool may connect to: over HTTPS, or over plain HTTP if it starts with `http://`. */
export const allowedHost = z
  .string()
  .max(270)
  .regex(
    /^(?:http:\/\/)?(?:(?:\*\.)?[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/,
    {
      error:
        'must be a lowercase host such as "api.example.com", "*.example.com" or "http://10.0.0.5:8080"',
      abort: true,
    },
  )
  .refine(isCanonicalHost, "must be in canonical form, with a port up to 65535");

/** Whether the host is in the normalized form of requests. `127.1` or port 99999 would never match one. */
function isCanonicalHost(entry: string): boolean {
  const authority = entry.replace("http://", "").replace("*.", "any.");
  const [, name, port] = /^(.*?)(?::(\d+))?$/.exec(authority) ?? [];
  const address = `http://${authority}/`;
  return port !== "0" && URL.canParse(address) && new URL(address).hostname === name;
}

/** The host of an HTTP or HTTPS URL as tools and credentials declare it. */
export function declaredHostOf(url: string): string {
  const { protocol, host } = new URL(url);
  return protocol === "http:" ? `http://${host}` : host;
}
