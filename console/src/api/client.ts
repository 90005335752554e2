import { currentWorkspaceId } from "./current-workspace.ts";
import { ApiProblem, readProblem } from "./problem.ts";
import { fetchWithUploadProgress } from "./fetch-with-upload-progress.ts";

export type Query = Readonly<Record<string, string | number | readonly string[] | undefined>>;

export type RequestOptions = {
  query?: Query;
  body?: unknown;
  headers?: Readonly<Record<string, string>>;
  signal?: AbortSignal | undefined;
  /** Told how much of a large body is on its way, from 0 to 1. */
  onUploadProgress?: (fraction: number) => void;
};

/** A page of a list, and the cursor of the next one while there is more. */
export type Page<Item> = { items: Item[]; next: string | undefined };

const retryDelaysMs = [400, 1_500, 4_000];

/** Reads from the REST API. Throws `ApiProblem`. */
export async function get<ResponseBody>(
  path: string,
  ask: RequestOptions = {},
): Promise<ResponseBody> {
  const answer = await fetchChecked("GET", path, ask);
  return (await answer.json()) as ResponseBody;
}

/** Reads one page of a list. */
export async function getPage<Item>(path: string, ask: RequestOptions = {}): Promise<Page<Item>> {
  const answer = await fetchChecked("GET", path, ask);
  const next = /<([^>]+)>;\s*rel="next"/.exec(answer.headers.get("link") ?? "")?.[1];
  const items = (await answer.json()) as Item[];
  const cursor = next === undefined ? null : new URL(next).searchParams.get("cursor");
  return { items, next: cursor ?? undefined };
}

/**
 * Changes something. It carries an `Idempotency-Key`, so when the connection is lost it is asked again with the same one, and
 * still happens once.
 */
export async function send<ResponseBody = void>(
  method: "POST" | "PUT" | "PATCH" | "DELETE",
  path: string,
  ask: RequestOptions = {},
): Promise<ResponseBody> {
  const headers = { "idempotency-key": crypto.randomUUID(), ...ask.headers };
  for (const delayMs of [...retryDelaysMs, undefined]) {
    try {
      const answer = await fetchChecked(method, path, { ...ask, headers });
      const text = await answer.text();
      return (text === "" ? undefined : JSON.parse(text)) as ResponseBody;
    } catch (error) {
      const isLost =
        error instanceof ApiProblem && ["offline", "idempotency_in_flight"].includes(error.code);
      if (!isLost || delayMs === undefined || ask.signal?.aborted === true) throw error;
      await new Promise((resolve) => setTimeout(resolve, delayMs));
    }
  }
  throw new Error("unreachable");
}

/** Asks the REST API below `/api/v1` and gives an answer of 2xx; everything else is thrown as `ApiProblem`. */
export async function fetchChecked(
  method: string,
  path: string,
  ask: RequestOptions,
): Promise<Response> {
  const url = new URL(`/api/v1${path}`, location.origin);
  for (const [name, value] of Object.entries(ask.query ?? {})) {
    const values = typeof value === "object" ? value : [value];
    for (const one of values)
      if (one !== undefined && one !== "") url.searchParams.append(name, String(one));
  }
  const isForm = ask.body instanceof FormData;
  const workspaceId = currentWorkspaceId();
  const init: RequestInit = {
    method,
    credentials: "same-origin",
    signal: ask.signal ?? null,
    headers: {
      ...(workspaceId === undefined ? {} : { "x-workspace-id": workspaceId }),
      ...(ask.body === undefined || isForm ? {} : { "content-type": "application/json" }),
      ...ask.headers,
    },
  };
  if (ask.body !== undefined)
    init.body = ask.body instanceof FormData ? ask.body : JSON.stringify(ask.body);
  const { onUploadProgress } = ask;
  const asked =
    onUploadProgress === undefined
      ? fetch(url, init)
      : fetchWithUploadProgress(url, init, onUploadProgress);
  const answer = await asked.catch((error: unknown) => {
    if (ask.signal?.aborted === true) throw error;
    throw new ApiProblem(0, { code: "offline", detail: "The service cannot be reached." });
  });
  if (answer.ok) return answer;
  if (answer.status === 401) redirectToSignIn();
  throw await readProblem(answer);
}

/** Away from the console, and back to where the person was. */
function redirectToSignIn(): void {
  const next = location.pathname + location.search;
  location.assign(next === "/" ? "/sign-in" : `/sign-in?next=${encodeURIComponent(next)}`);
}
