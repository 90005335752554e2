import type { AnyRequest, Http } from "./http.ts";
import { ToolhostError } from "./errors.ts";
import { readJson } from "./http.ts";
import type { FetchResponse } from "./fetch.ts";

/** The items of all pages of a list, which are requested one after the other as they are consumed. */
export async function* listItems<Item>(
  http: Http,
  path: string,
  request: AnyRequest = {},
): AsyncGenerator<Item, void, undefined> {
  let cursor: unknown = request.query?.["cursor"];
  const seen = new Set<unknown>();
  do {
    const query = cursor === undefined ? request.query : { ...request.query, cursor };
    const page = await http(`GET ${path}`, { ...request, query }, async (response) => ({
      items: await readJson<Item[]>(response),
      next: readNextCursor(response),
    }));
    yield* page.items;
    seen.add(cursor);
    if (page.next !== undefined && seen.has(page.next)) {
      throw new ToolhostError("The service returned a page that is followed by an earlier one.");
    }
    cursor = page.next;
  } while (cursor !== undefined);
}

/** The cursor of the next page. Only it is taken from the link, so that the key is sent to no other address. */
function readNextCursor(response: FetchResponse): string | undefined {
  const next = /<([^>]+)>;\s*rel="next"/.exec(response.headers.get("link") ?? "")?.[1];
  if (next === undefined) return undefined;
  return new URL(next, "http://localhost").searchParams.get("cursor") ?? undefined;
}
