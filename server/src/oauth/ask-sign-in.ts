import type { RequestOrigin } from "#core/kernel";
import type { Context } from "#core/context";
import { ServiceError } from "#core/kernel";
import { answerAuth } from "#core/identity";

/** A request to one of our pages. */
export type PageRequest = { request: Request; origin: RequestOrigin };

/** Asks the sign-in library what a page's form asks for, in the name of the browser that sent it. Throws `rate_limited`. */
export async function askSignIn(
  context: Context,
  { request, origin }: PageRequest,
  path: string,
  body?: Readonly<Record<string, unknown>>,
): Promise<Response> {
  const { baseUrl } = context.config;
  const headers = new Headers({ origin: baseUrl });
  for (const name of ["cookie", "user-agent"]) {
    const value = request.headers.get(name);
    if (value !== null) headers.set(name, value);
  }
  if (body !== undefined) headers.set("content-type", "application/json");
  const asked = new Request(`${baseUrl}/api/auth${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers,
    redirect: "manual",
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const answer = await answerAuth(context, asked, origin);
  if (answer.status >= 500) throw new Error(`Sign-in answered ${answer.status} at ${path}`);
  return answer;
}

/** The same, but gives what the person is told when they tried too often, so that their form stays before them. */
export async function askOrTell(
  ...given: Parameters<typeof askSignIn>
): Promise<{ answer: Response; told?: never } | { told: string; answer?: never }> {
  try {
    return { answer: await askSignIn(...given) };
  } catch (error) {
    if (error instanceof ServiceError && error.code === "rate_limited")
      return { told: error.message };
    throw error;
  }
}

/** Leads the browser on with the cookies that it was given on the way. */
export function leadOn(location: string, ...answers: readonly Response[]): Response {
  const headers = new Headers({ location, "cache-control": "no-store" });
  for (const cookie of answers.flatMap((answer) => answer.headers.getSetCookie())) {
    headers.append("set-cookie", cookie);
  }
  return new Response(null, { status: 303, headers });
}

/** The code of the library's refusal. */
export async function refusalCode(answer: Response): Promise<string> {
  const body: unknown = await answer.json().catch(() => undefined);
  const code: unknown = typeof body === "object" && body !== null ? Reflect.get(body, "code") : "";
  return typeof code === "string" ? code : "";
}

/** The console's start in one workspace, whichever the browser worked in before. */
export function inWorkspace(id: string): string {
  return `/?workspace=${encodeURIComponent(id)}`;
}

/** A path of this server: whoever makes the link must not lead a person away from it. */
export function localPath({ config }: Context, given: string | null): string {
  const url = given === null ? null : URL.parse(given, config.baseUrl);
  if (url === null || url.origin !== new URL(config.baseUrl).origin) return "/";
  // "//host" would be another host's address once the origin is gone.
  return url.pathname.startsWith("//") ? "/" : url.pathname + url.search;
}
