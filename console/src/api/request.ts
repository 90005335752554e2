import { workspaceHeaders } from "./current-workspace.ts";
import { expectedUserId } from "./expected-user.ts";
import { ApiProblem, readProblem } from "./problem.ts";
import { fetchWithUploadProgress } from "./fetch-with-upload-progress.ts";
import { messages } from "./messages.ts";

export type Options = {
  headers?: Readonly<Record<string, string>>;
  signal?: AbortSignal | undefined;
  /** Receives the uploaded fraction of the body, from 0 to 1. */
  onUploadProgress?: (fraction: number) => void;
};

/** A request of any route; `client.ts` and `queries.ts` know the types of each. */
export type AnyRequest = Options & {
  params?: Readonly<Record<string, string | number>> | undefined;
  query?: Readonly<Record<string, string | number | readonly string[] | undefined>> | undefined;
  body?: unknown;
};

/** A page of a list, with the cursor of the next page, if any. */
export type Page<Item> = {
  items: Item[];
  next: string | undefined;
  /** The number of items on all pages, for lists that return it. */
  total?: number;
  /** False if there are more items than were counted. */
  isTotalExact?: boolean;
};

/** The segments of a path with its parameters filled in: `/tools/{name}` becomes `["tools", "a_bcde"]`. */
export function fillPath(path: string, params: AnyRequest["params"] = {}): string[] {
  return path
    .split("/")
    .filter((part) => part !== "")
    .map((part) => part.replace(/^\{(\w+)\}$/, (_, name: string) => String(params[name])));
}

/** Reads one page of a list. */
export async function requestPage<Item>(path: string, request?: AnyRequest): Promise<Page<Item>> {
  const response = await requestRoute(`GET ${path}`, request);
  const next = /<([^>]+)>;\s*rel="next"/.exec(response.headers.get("link") ?? "")?.[1];
  const items = (await response.json()) as Item[];
  const cursor = next === undefined ? null : new URL(next).searchParams.get("cursor");
  const total = response.headers.get("x-total-count");
  const counted = {
    total: Number(total),
    isTotalExact: response.headers.get("x-total-count-relation") !== "gte",
  };
  return { items, next: cursor ?? undefined, ...(total === null ? {} : counted) };
}

/** Requests a route below `/api/v1`. Throws `ApiProblem` for a response that is not a 2xx. */
export async function requestRoute(route: string, request: AnyRequest = {}): Promise<Response> {
  const { params, query = {}, body, signal, onUploadProgress } = request;
  const [method = "", path = ""] = route.split(" ");
  const segments = fillPath(path, params).map(encodeURIComponent);
  const url = new URL(`/api/v1/${segments.join("/")}`, location.origin);
  for (const [name, value] of Object.entries(query)) {
    const values = typeof value === "object" ? value : [value];
    for (const one of values)
      if (one !== undefined && one !== "") url.searchParams.append(name, String(one));
  }
  const isForm = body instanceof FormData;
  const userId = expectedUserId();
  const init: RequestInit = {
    method,
    credentials: "same-origin",
    signal: signal ?? null,
    headers: {
      ...workspaceHeaders(),
      ...(userId === undefined ? {} : { "x-user-id": userId }),
      ...(body === undefined || isForm ? {} : { "content-type": "application/json" }),
      ...request.headers,
    },
  };
  if (body !== undefined) init.body = isForm ? body : JSON.stringify(body);
  const sent =
    onUploadProgress === undefined
      ? fetch(url, init)
      : fetchWithUploadProgress(url, init, onUploadProgress);
  const response = await sent.catch((error: unknown) => {
    if (signal?.aborted === true) throw error;
    throw new ApiProblem(0, { code: "offline", detail: messages.offline });
  });
  if (response.ok) return response;
  if (response.status === 401) {
    // A redirect would lose what the user typed in the form that sends this, or in an open dialog.
    const detail = messages.sessionEnded;
    if (method !== "GET" || hasOpenDialog()) {
      throw new ApiProblem(401, { code: "unauthenticated", detail });
    }
    await leave();
  }
  throw await readProblem(response);
}

function hasOpenDialog(): boolean {
  return document.querySelector("[role=dialog], [role=alertdialog]") !== null;
}

/** Redirects to sign-in, and back to the current page afterwards. Reloads the page if another user has signed in since. */
async function leave(): Promise<void> {
  const isSignedIn = await fetch("/api/v1/workspaces?limit=1", { credentials: "same-origin" }).then(
    ({ ok }) => ok,
    () => false,
  );
  const next = location.pathname + location.search;
  if (isSignedIn && expectedUserId() !== undefined) location.reload();
  else location.assign(next === "/" ? "/sign-in" : `/sign-in?next=${encodeURIComponent(next)}`);
}
