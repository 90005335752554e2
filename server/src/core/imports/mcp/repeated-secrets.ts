import { withoutInvisible } from "#lib/invisible";
import type { McpEndpoint } from "./definition.ts";

/** Shorter header values, such as a version, may be part of any answer. */
const minLength = 8;

/** Finds secrets of a request in what its server sends. */
export type Secrets = {
  areIn(text: string): boolean;
  /** Searches all strings, numbers and names of a parsed value. */
  areInValue(value: unknown): boolean;
};

/** The secret in the URL, the values of headers, and what follows a scheme such as `Bearer` in them. */
export function secretsOf({
  headers,
  secret = "",
}: Pick<McpEndpoint, "headers" | "secret">): Secrets {
  const inUrl = [secret, encodeURIComponent(secret)];
  const inHeaders = Object.values(headers).flatMap((value) => {
    const [, ...words] = value.split(" ");
    return [value, words.join(" "), ...words];
  });
  const secrets = [...new Set([...inUrl, ...inHeaders])].filter(
    (value) => value.length >= minLength,
  );
  const isIn = (text: string) => secrets.some((value) => text.includes(value));
  // Texts are shown without invisible characters, which would otherwise hide a secret from this search.
  const areIn = (text: string) =>
    isIn(text) || (/[^\x20-\x7e]/.test(text) && isIn(withoutInvisible(text)));
  return {
    areIn,
    areInValue: (value) => secrets.length > 0 && someText(value, areIn),
  };
}

/** Without recursion, because the value may be deep. */
function someText(root: unknown, isMatch: (text: string) => boolean): boolean {
  const pending: unknown[] = [root];
  while (pending.length > 0) {
    const value = pending.pop();
    if (typeof value === "string" || typeof value === "number") {
      if (isMatch(String(value))) return true;
    } else if (typeof value === "object" && value !== null) {
      for (const [name, member] of Object.entries(value)) {
        if (isMatch(name)) return true;
        pending.push(member);
      }
    }
  }
  return false;
}
