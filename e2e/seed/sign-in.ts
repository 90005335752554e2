import { join } from "node:path";
import process from "node:process";
import { createApiCall } from "../../server/testing/api-call.ts";
import type { ApiCall } from "../../server/testing/api-call.ts";
import { createCall } from "../src/http.ts";
import type { Call } from "../src/http.ts";
import { enter, readFirstRun } from "../src/sign-in.ts";
import { addressOf, requireDevelopmentServer } from "./find-server.ts";

/** A user of a running service. */
export type Seeder = {
  baseUrl: string;
  userName: string;
  workspaceId: string;
  /** Whether it is a session, which can reach all workspaces of the user, and not an API key. */
  isSession: boolean;
  /** Calls REST in the workspace above. Waits while a rate limit is exceeded. */
  api: ApiCall;
  /** The same in another workspace of the user. */
  apiIn: (workspaceId: string) => ApiCall;
};

/**
 * Uses `TOOLHOST_API_KEY`, or signs in with `TOOLHOST_EMAIL` and `TOOLHOST_PASSWORD`, or as the owner in `first-run.json`.
 */
export async function signIn(): Promise<Seeder> {
  const first = await readFirstRun(process.env["DATA_DIR"] ?? "data").catch(() => undefined);
  const baseUrl = addressOf(process.env, first?.baseUrl);
  await requireDevelopmentServer(baseUrl);
  const apiKey = process.env["TOOLHOST_API_KEY"];
  const identity: Record<string, string> =
    apiKey === undefined
      ? { origin: baseUrl, cookie: await openSession(baseUrl, first) }
      : { authorization: `Bearer ${apiKey}` };
  const apiIn = (workspaceId?: string) => {
    const headers = { ...identity, ...(workspaceId && { "x-workspace-id": workspaceId }) };
    return createApiCall(
      waitForLimits(
        createCall(
          () => baseUrl,
          () => headers,
        ),
      ),
    );
  };
  const isSession = apiKey === undefined;
  const api = isSession ? apiIn(await findFirstWorkspace(apiIn())) : apiIn();
  const { user, workspace } = await api("GET /me");
  return { baseUrl, userName: user.name, workspaceId: workspace.id, isSession, api, apiIn };
}

/** The oldest workspace of the user. A session of several ones must name one in each request. */
async function findFirstWorkspace(api: ApiCall): Promise<string> {
  const workspaces = await api("GET /workspaces");
  const [first] = workspaces.toSorted((a, b) => (a.createdAt < b.createdAt ? -1 : 1));
  if (first === undefined) throw new Error("You do not have a workspace.");
  return first.id;
}

async function openSession(
  baseUrl: string,
  first: { email: string; password: string } | undefined,
): Promise<string> {
  const email = process.env["TOOLHOST_EMAIL"] ?? first?.email;
  const password = process.env["TOOLHOST_PASSWORD"] ?? first?.password;
  if (email !== undefined && password !== undefined) {
    return enter(baseUrl, "sign-in", { email, password });
  }
  const file = join(process.env["DATA_DIR"] ?? "data", "first-run.json");
  throw new Error(
    `${file} does not exist. Set TOOLHOST_EMAIL and TOOLHOST_PASSWORD, or TOOLHOST_API_KEY, and TOOLHOST_URL.`,
  );
}

/** Repeats a call after the time that the service asks to wait. */
function waitForLimits(call: Call): Call {
  return async (...request) => {
    for (;;) {
      const answer = await call(...request);
      if (answer.status !== 429) return answer;
      const seconds = Number(answer.headers.get("retry-after") ?? 1);
      process.stdout.write(`  rate limit exceeded; continuing in ${seconds} s\n`);
      await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
    }
  };
}
