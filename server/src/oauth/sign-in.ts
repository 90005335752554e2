import { html } from "hono/html";
import { hasPeople } from "#core/identity";
import type { Context } from "#core/context";
import { askOrTell, askSignIn, leadOn, localPath, refusalCode } from "./ask-sign-in.ts";
import type { PageRequest } from "./ask-sign-in.ts";
import { alert, field, hidden } from "./fields.ts";
import { readForm } from "./form.ts";
import { toPage } from "./page.ts";
import type { Html } from "./page.ts";

export const signInPath = "/sign-in";
const secondFactorPath = "/sign-in/code";

/** Shows the form that signs a person in, without any script. */
export async function showSignIn(context: Context, url: URL): Promise<Response> {
  const next = localPath(context, url.searchParams.get("next"));
  // Nobody can sign in to a server that is new; whoever comes first makes its first account.
  const canBegin = context.people.providers.length === 0 && !(await hasPeople(context.db));
  if (canBegin) return leadOn(withNext("/sign-up", next));
  // A provider that could not sign the person in leads back here with a reason of its own words.
  const hasFailed = url.searchParams.has("error");
  return toSignIn(context, {
    next,
    email: "",
    ...(hasFailed ? { problem: "That did not sign you in. Try again, or in another way." } : {}),
  });
}

/** Signs a person in and leads on to where they were going, or to the question for their second factor. */
export async function signIn(context: Context, asked: PageRequest): Promise<Response> {
  const form = await readForm(context, asked.request);
  const next = localPath(context, form.get("next"));
  const email = form.get("email")?.trim() ?? "";
  const password = form.get("password") ?? "";
  const { answer, told } = await askOrTell(context, asked, "/sign-in/email", { email, password });
  if (answer === undefined) return toSignIn(context, { next, email, problem: told, status: 429 });
  if (answer.ok) {
    const needsMore = /"twoFactorRedirect":true/.test(await answer.clone().text());
    return leadOn(needsMore ? withNext(secondFactorPath, next) : next, answer);
  }
  const isUnproven = (await refusalCode(answer)) === "EMAIL_NOT_VERIFIED";
  const problem = isUnproven
    ? "First confirm your e-mail address: we have sent you a link."
    : "The e-mail address or the password is wrong.";
  if (isUnproven) await askSignIn(context, asked, "/send-verification-email", { email });
  return toSignIn(context, { next, email, problem });
}

/** Leads the browser to a provider that the person may sign in with. */
export async function signInWith(context: Context, asked: PageRequest): Promise<Response> {
  const url = new URL(asked.request.url);
  const next = localPath(context, url.searchParams.get("next"));
  const answer = await askSignIn(context, asked, "/sign-in/social", {
    provider: url.searchParams.get("provider") ?? "",
    callbackURL: next,
    errorCallbackURL: signInPath,
  });
  const body: unknown = answer.ok ? await answer.clone().json() : undefined;
  const address: unknown =
    typeof body === "object" && body !== null ? Reflect.get(body, "url") : undefined;
  if (typeof address === "string") return leadOn(address, answer);
  const problem = "This way to sign in does not answer. Try again later, or in another way.";
  return toSignIn(context, { next, email: "", problem });
}

/** Asks for the second factor. */
export async function showSecondFactor(context: Context, url: URL): Promise<Response> {
  return toSecondFactor(localPath(context, url.searchParams.get("next")));
}

/** Takes the code of an authenticator app, or a backup code. */
export async function takeSecondFactor(context: Context, asked: PageRequest): Promise<Response> {
  const form = await readForm(context, asked.request);
  const next = localPath(context, form.get("next"));
  const code = form.get("code")?.replaceAll(/\s/g, "") ?? "";
  const path = /^\d{6}$/.test(code) ? "totp" : "backup-code";
  const verifyPath = `/two-factor/verify-${path}`;
  const { answer, told } = await askOrTell(context, asked, verifyPath, { code });
  if (answer === undefined) return toSecondFactor(next, told, 429);
  if (answer.ok) return leadOn(next, answer);
  const isOver = (await refusalCode(answer)) === "INVALID_TWO_FACTOR_COOKIE";
  if (isOver) return leadOn(withNext(signInPath, next));
  return toSecondFactor(next, "The code is wrong, or was used already.");
}

/** A page's address with the one to go on to afterwards. */
export function withNext(path: string, next: string): string {
  return next === "/" ? path : `${path}?next=${encodeURIComponent(next)}`;
}

type Shown = { next: string; email: string; problem?: string; status?: 401 | 429 };

function toSignIn(
  context: Context,
  { next, email, problem, status = 401 }: Shown,
): Promise<Response> {
  const ways = context.people.providers.map(({ id, name }) => {
    const address = `/sign-in/with?${new URLSearchParams({ provider: id, next }).toString()}`;
    return html`<p><a href="${address}">Sign in with ${name}</a></p>`;
  });
  const body = html`<h1>Sign in to Toolhost</h1>
    ${alert(problem)}
    <form method="post" action="${signInPath}">
      ${hidden("next", next)}
      ${field(
        {
          name: "email",
          label: "E-mail address",
          type: "email",
          autocomplete: "username",
          value: email,
          isFirst: email === "",
        },
        problem,
      )}
      ${field(
        {
          name: "password",
          label: "Password",
          type: "password",
          autocomplete: "current-password",
          isFirst: email !== "",
        },
        problem,
      )}
      <button type="submit">Sign in</button>
    </form>
    ${ways}
    ${
      context.config.SIGN_UP === "open"
        ? html`<p class="soft">
            New here? <a href="${withNext("/sign-up", next)}">Make an account</a>
          </p>`
        : ""
    }
    <p class="soft"><a href="/forgot-password">Forgot the password?</a></p>
    ${firstPassword(context)}`;
  return toPage({ title: "Sign in", body, status: problem === undefined ? 200 : status });
}

/** Where the first owner's password is, on a machine that nobody else reaches. */
function firstPassword({ config }: Context): Html | "" {
  if (!config.isLoopback || config.DATABASE_URL !== undefined) return "";
  return html`<details>
    <summary>Where is the first password?</summary>
    <p class="soft">
      The first start printed it in the terminal, for <code>owner@localhost</code>. It is kept in
      <code>first-run.json</code> in the data folder.
    </p>
  </details>`;
}

function toSecondFactor(
  next: string,
  problem?: string,
  status: 401 | 429 = 401,
): Promise<Response> {
  const body = html`<h1>Enter your code</h1>
    <p>Your authenticator app shows six digits. A backup code works as well, once.</p>
    ${alert(problem)}
    <form method="post" action="${secondFactorPath}">
      ${hidden("next", next)}
      ${field(
        {
          name: "code",
          label: "Code",
          type: "text",
          autocomplete: "one-time-code",
          isFirst: true,
        },
        problem,
      )}
      <button type="submit">Go on</button>
    </form>
    <p class="soft"><a href="${withNext(signInPath, next)}">Sign in as somebody else</a></p>`;
  return toPage({ title: "Enter your code", body, status: problem === undefined ? 200 : status });
}
