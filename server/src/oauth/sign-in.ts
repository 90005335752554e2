import { html } from "hono/html";
import type { Context } from "#core/context";
import { readForm } from "./form.ts";
import { toPage } from "./page.ts";
import type { Html } from "./page.ts";

export const signInPath = "/sign-in";

/** Shows the form that signs a person in, without any script. */
export async function showSignIn(context: Context, url: URL): Promise<Response> {
  return toSignIn({ next: localPath(context, url.searchParams.get("next")), email: "" });
}

/** Signs a person in and leads on to where they were going. */
export async function signIn(context: Context, request: Request): Promise<Response> {
  const form = await readForm(context, request);
  const next = localPath(context, form.get("next"));
  const email = form.get("email")?.trim() ?? "";
  const { baseUrl } = context.config;
  const headers = new Headers({ "content-type": "application/json", origin: baseUrl });
  for (const name of ["cookie", "user-agent"]) {
    const value = request.headers.get(name);
    if (value !== null) headers.set(name, value);
  }
  const answer = await context.people.handle(
    new Request(`${baseUrl}/api/auth/sign-in/email`, {
      method: "POST",
      headers,
      body: JSON.stringify({ email, password: form.get("password") ?? "" }),
    }),
  );
  if (answer.ok) {
    const onward = new Headers({ location: next, "cache-control": "no-store" });
    for (const cookie of answer.headers.getSetCookie()) onward.append("set-cookie", cookie);
    return new Response(null, { status: 303, headers: onward });
  }
  if (answer.status >= 500) throw new Error(`Sign-in answered ${answer.status}`);
  const problem =
    answer.status === 429
      ? "Too many attempts. Wait a minute and try again."
      : "The e-mail address or the password is wrong.";
  return toSignIn({ next, email, problem });
}

type Shown = { next: string; email: string; problem?: string };

function toSignIn({ next, email, problem }: Shown): Promise<Response> {
  const alert: Html | "" =
    problem === undefined ? "" : html`<p class="problem" role="alert" id="problem">${problem}</p>`;
  const body = html`<h1>Sign in to Toolhost</h1>
    ${alert}
    <form method="post" action="${signInPath}">
      <input type="hidden" name="next" value="${next}" />
      <label for="email">E-mail address</label>
      <input
        id="email"
        name="email"
        type="email"
        autocomplete="username"
        required
        value="${email}"
        aria-describedby="${problem === undefined ? "" : "problem"}"
      />
      <label for="password">Password</label>
      <input
        id="password"
        name="password"
        type="password"
        autocomplete="current-password"
        required
      />
      <button type="submit">Sign in</button>
    </form>`;
  return toPage({ title: "Sign in", body, status: problem === undefined ? 200 : 401 });
}

/** A path of this server: whoever makes the link must not lead a person away from it. */
function localPath({ config }: Context, given: string | null): string {
  const url = given === null ? null : URL.parse(given, config.baseUrl);
  if (url === null || url.origin !== new URL(config.baseUrl).origin) return "/";
  return url.pathname + url.search;
}
