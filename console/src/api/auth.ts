import { queryOptions } from "@tanstack/react-query";
import { ApiProblem, readProblem } from "./problem.ts";
import { messages as authMessages } from "./auth-messages.ts";
import { messages } from "./messages.ts";

/** What the sign-in library knows about the account, in addition to `GET /me`. */
export type Account = { hasSecondFactor: boolean };

/** The signed-in account. */
export const accountQuery = queryOptions({
  queryKey: ["auth", "session"],
  queryFn: async ({ signal }): Promise<Account> => {
    const found = await getAuth<{ user?: { twoFactorEnabled?: boolean | null } } | null>(
      "/get-session",
      signal,
    );
    return { hasSecondFactor: found?.user?.twoFactorEnabled === true };
  },
});

/** The sign-in methods: `credential` is a password, others are providers. */
export const signInMethodsQuery = queryOptions({
  queryKey: ["auth", "accounts"],
  queryFn: ({ signal }) => getAuth<{ id: string; providerId: string }[]>("/list-accounts", signal),
});

const errorTexts: Readonly<Record<string, string>> = authMessages;

/** Reads from `/api/auth`, whose errors have the sign-in library's format. Throws `ApiProblem`. */
async function getAuth<ResponseBody>(path: string, signal: AbortSignal): Promise<ResponseBody> {
  return readResponse(fetch(`/api/auth${path}`, { credentials: "same-origin", signal }), signal);
}

/** Posts to `/api/auth`. Throws `ApiProblem`. */
export async function sendAuth<ResponseBody>(path: string, body: object): Promise<ResponseBody> {
  return readResponse(
    fetch(`/api/auth${path}`, {
      method: "POST",
      credentials: "same-origin",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    }),
  );
}

async function readResponse<ResponseBody>(
  request: Promise<Response>,
  signal?: AbortSignal,
): Promise<ResponseBody> {
  const response = await request.catch((error: unknown) => {
    if (signal?.aborted === true) throw error;
    throw new ApiProblem(0, { code: "offline", detail: messages.offline });
  });
  if (response.ok) return (await response.json()) as ResponseBody;
  const body = (await response
    .clone()
    .json()
    .catch(() => null)) as { code?: unknown; message?: unknown } | null;
  const detail = errorTexts[String(body?.code)] ?? body?.message;
  if (typeof detail === "string")
    throw new ApiProblem(response.status, { code: "unknown", detail });
  throw await readProblem(response);
}
