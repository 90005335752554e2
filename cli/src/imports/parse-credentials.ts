import type { ImportResource } from "@toolhost/contract";
import { usageError } from "../terminal/cli-error.ts";

/** The names of credentials by security scheme. With a single scheme, its name may be omitted. */
export function parseCredentials(
  { securitySchemes }: Pick<ImportResource, "securitySchemes">,
  given: readonly string[],
): Record<string, string[]> {
  const known = securitySchemes.map(({ name }) => name);
  const entries = given.map((text): [string, string[]] => {
    const at = text.lastIndexOf("=");
    const scheme = at === -1 && known.length === 1 ? known[0] : text.slice(0, Math.max(at, 0));
    if (scheme === undefined || !known.includes(scheme)) throw unknownScheme(text, known);
    const names = text.slice(at + 1).split(",");
    if (names.length > 2 || names.includes("")) {
      throw usageError(
        `"${text}" does not name a credential.`,
        `--credential '${scheme}=NAME'   (or USER_NAME,PASSWORD for a user name and password)`,
      );
    }
    return [scheme, names];
  });
  return Object.fromEntries(entries);
}

function unknownScheme(text: string, known: readonly string[]) {
  return usageError(
    `"${text}" names no security scheme of the document. It has: ${known.join(", ")}.`,
    `--credential '${known[0]}=NAME'`,
  );
}
