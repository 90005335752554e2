import { ServiceError } from "#core/kernel";
import { isId } from "#lib/ids";

/** The ID after which a page starts. Throws `invalid_request` for a cursor that the service did not issue. */
export function idOfCursor(cursor: string | undefined): string | undefined {
  if (cursor === undefined) return undefined;
  const id = Buffer.from(cursor, "base64url").toString();
  if (!isId(id)) throw invalidCursor();
  return id;
}

/** Like `idOfCursor`, for numbered lists. */
export function numberOfCursor(cursor: string | undefined): number | undefined {
  if (cursor === undefined) return undefined;
  const text = Buffer.from(cursor, "base64url").toString();
  if (!/^\d{1,9}$/.test(text)) throw invalidCursor();
  return Number(text);
}

/** The `Link` header to the next page (RFC 8288), if there is one. */
export function linkHeader(
  baseUrl: string,
  url: URL,
  next: string | number | undefined,
): Record<string, string> {
  if (next === undefined) return {};
  const nextUrl = new URL(url.pathname + url.search, baseUrl);
  nextUrl.searchParams.set("cursor", Buffer.from(String(next)).toString("base64url"));
  return { link: `<${nextUrl.href}>; rel="next"` };
}

/** The number of all items of a list, as far as it was counted. */
export type Total = { count: number; isExact: boolean };

/** The headers with the number of all items, if it was requested. */
export function totalHeaders(total: Total | undefined): Record<string, string> {
  if (total === undefined) return {};
  return {
    "x-total-count": String(total.count),
    "x-total-count-relation": total.isExact ? "eq" : "gte",
  };
}

function invalidCursor(): ServiceError {
  return new ServiceError(
    "invalid_request",
    "The cursor is invalid. Use the one from the Link header of the previous page.",
    {
      errors: [{ path: "/cursor", message: "is not a cursor of this list" }],
    },
  );
}
