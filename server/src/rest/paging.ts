import { ServiceError } from "#core/kernel";
import { isId } from "#lib/ids";

/** The id after which a page starts. Throws `invalid_request` for a cursor that we did not give. */
export function idOfCursor(cursor: string | undefined): string | undefined {
  if (cursor === undefined) return undefined;
  const id = Buffer.from(cursor, "base64url").toString();
  if (!isId(id)) throw badCursor();
  return id;
}

/** The same for lists that are numbered. */
export function numberOfCursor(cursor: string | undefined): number | undefined {
  if (cursor === undefined) return undefined;
  const text = Buffer.from(cursor, "base64url").toString();
  if (!/^\d{1,9}$/.test(text)) throw badCursor();
  return Number(text);
}

/** The header that leads to the next page (RFC 8288), if there is one. */
export function linkHeader(
  baseUrl: string,
  url: URL,
  next: string | number | undefined,
): Record<string, string> {
  if (next === undefined) return {};
  const address = new URL(url.pathname + url.search, baseUrl);
  address.searchParams.set("cursor", Buffer.from(String(next)).toString("base64url"));
  return { link: `<${address.href}>; rel="next"` };
}

function badCursor(): ServiceError {
  return new ServiceError("invalid_request", "The cursor is not one of a Link header.", {
    errors: [{ path: "/cursor", message: "is not a cursor of this list" }],
  });
}
