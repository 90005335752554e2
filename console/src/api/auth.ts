import { queryOptions } from "@tanstack/react-query";
import { ApiProblem, readProblem } from "./problem.ts";

/** What the sign-in library knows of who is signed in, beside `GET /me`. */
export type Account = { hasSecondFactor: boolean };

/** How the person signs in. */
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

/** By what the person signs in: `credential` is a password, others are providers. */
export const signInMethodsQuery = queryOptions({
  queryKey: ["auth", "accounts"],
  queryFn: ({ signal }) => getAuth<{ id: string; providerId: string }[]>("/list-accounts", signal),
});

/** What the library says, and how it is said to people. */
const words: Readonly<Record<string, string>> = {
  INVALID_PASSWORD: "The password is wrong.",
  INVALID_CODE: "The code is wrong, or it has run out. Take the next one.",
  PASSWORD_TOO_SHORT: "The password needs at least 8 characters.",
  PASSWORD_TOO_LONG: "The password may have at most 200 characters.",
};

/** Reads from `/api/auth`, which is the sign-in library's and answers in its own way. Throws `ApiProblem`. */
async function getAuth<ResponseBody>(path: string, signal: AbortSignal): Promise<ResponseBody> {
  return readResponse(fetch(`/api/auth${path}`, { credentials: "same-origin", signal }), signal);
}

/** Changes something there. Throws `ApiProblem`. */
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
  asked: Promise<Response>,
  signal?: AbortSignal,
): Promise<ResponseBody> {
  const answer = await asked.catch((error: unknown) => {
    if (signal?.aborted === true) throw error;
    throw new ApiProblem(0, { code: "offline", detail: "The service cannot be reached." });
  });
  if (answer.ok) return (await answer.json()) as ResponseBody;
  const said = (await answer
    .clone()
    .json()
    .catch(() => null)) as { code?: unknown; message?: unknown } | null;
  const detail = words[String(said?.code)] ?? said?.message;
  if (typeof detail === "string") throw new ApiProblem(answer.status, { code: "unknown", detail });
  throw await readProblem(answer);
}
