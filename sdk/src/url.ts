import { ToolhostError } from "./errors.ts";

type UrlParts = {
  params?: Readonly<Record<string, string | number>> | undefined;
  query?: Readonly<Record<string, unknown>> | undefined;
};

/** The URL of a route, with the parameters of its path and its query. Undefined values of the query are left out. */
export function createUrl(baseUrl: URL, path: string, { params = {}, query = {} }: UrlParts): URL {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeSegment(name, params[name]),
  );
  const url = new URL(`api/v1${filled}`, baseUrl);
  for (const [name, value] of Object.entries(query)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined) url.searchParams.append(name, String(one));
    }
  }
  return url;
}

/** Throws for a value that would change the path: an empty one, or dots, which URLs resolve even if they are encoded; and for one that is not Unicode. */
function encodeSegment(name: string, value: string | number | undefined): string {
  const text = String(value ?? "");
  if (text === "" || text === "." || text === "..") {
    throw new ToolhostError(`Set the parameter "${name}" to an ID or a name.`);
  }
  if (!text.isWellFormed()) {
    throw new ToolhostError(`The parameter "${name}" contains half of a surrogate pair.`);
  }
  return encodeURIComponent(text);
}
