import { html } from "hono/html";
import { hasPeople } from "#core/identity";
import type { Context } from "#core/context";
import {
  callAuth,
  callAuthWithinLimit,
  errorCodeOf,
  localPath,
  redirectTo,
} from "./auth-client.ts";
import type { PageRequest } from "./auth-client.ts";
import { alert, field, hidden } from "./fields.ts";
import { messages } from "./messages.ts";
import { toPage } from "./page.ts";
import type { Html } from "./page.ts";
import { readForm } from "./read-form.ts";

export const signInPath = "/sign-in";
const secondFactorPath = "/sign-in/code";

/** Shows the sign-in form. On a server without accounts, redirects to sign-up. */
export async function showSignIn(context: Context, url: URL): Promise<Response> {
  const next = localPath(context, url.searchParams.get("next"));
  const isUnowned = !(await hasPeople(context.db));
  if (isUnowned && context.people.providers.length === 0) {
    return redirectTo(withNext("/sign-up", next));
  }
  // The provider chooses the text of `error`, so the page does not show it.
  const failed = isUnowned ? messages.signUp.setupLink : messages.signIn.failed;
  const problem = url.searchParams.has("error") ? failed : undefined;
  return toSignIn(context, { next, email: "", problem });
}

/** Signs the user in and redirects to the requested page, or to the second factor. */
export async function submitSignIn(context: Context, page: PageRequest): Promise<Response> {
  const form = await readForm(context, page.request);
  const next = localPath(context, form.get("next"));
  const email = form.get("email")?.trim() ?? "";
  const password = form.get("password") ?? "";
  const input = { email, password };
  const { response, problem } = await callAuthWithinLimit(context, page, "/sign-in/email", input);
  if (response === undefined) return toSignIn(context, { next, email, problem, status: 429 });
  if (response.ok) {
    const needsCode = /"twoFactorRedirect":true/.test(await response.clone().text());
    return redirectTo(needsCode ? withNext(secondFactorPath, next) : next, response);
  }
  if ((await errorCodeOf(response)) !== "EMAIL_NOT_VERIFIED") {
    return toSignIn(context, { next, email, problem: messages.signIn.wrongCredentials });
  }
  await callAuth(context, page, "/send-verification-email", { email });
  return toSignIn(context, { next, email, problem: messages.signIn.unverified });
}

/** Redirects the browser to a sign-in provider. */
export async function signInWith(context: Context, page: PageRequest): Promise<Response> {
  const url = new URL(page.request.url);
  const next = localPath(context, url.searchParams.get("next"));
  const response = await callAuth(context, page, "/sign-in/social", {
    provider: url.searchParams.get("provider") ?? "",
    callbackURL: next,
    errorCallbackURL: signInPath,
  });
  const body: unknown = response.ok ? await response.clone().json() : undefined;
  const providerUrl: unknown =
    typeof body === "object" && body !== null ? Reflect.get(body, "url") : undefined;
  if (typeof providerUrl === "string") return redirectTo(providerUrl, response);
  return toSignIn(context, { next, email: "", problem: messages.signIn.providerUnavailable });
}

/** Shows the form for the second factor. */
export async function showSecondFactor(context: Context, url: URL): Promise<Response> {
  return toSecondFactor(localPath(context, url.searchParams.get("next")));
}

/** Checks the code of an authenticator app, or a backup code. */
export async function submitSecondFactor(context: Context, page: PageRequest): Promise<Response> {
  const form = await readForm(context, page.request);
  const next = localPath(context, form.get("next"));
  const code = form.get("code")?.replaceAll(/\s/g, "") ?? "";
  const kind = /^\d{6}$/.test(code) ? "totp" : "backup-code";
  const verifyPath = `/two-factor/verify-${kind}`;
  const { response, problem } = await callAuthWithinLimit(context, page, verifyPath, { code });
  if (response === undefined) return toSecondFactor(next, problem, 429);
  if (response.ok) return redirectTo(next, response);
  const hasExpired = (await errorCodeOf(response)) === "INVALID_TWO_FACTOR_COOKIE";
  if (hasExpired) return redirectTo(withNext(signInPath, next));
  return toSecondFactor(next, messages.secondFactor.wrongCode);
}

/** The path of a page that redirects to `next` afterwards. */
export function withNext(path: string, next: string): string {
  return next === "/" ? path : `${path}?next=${encodeURIComponent(next)}`;
}

type SignInPage = {
  next: string;
  email: string;
  problem?: string | undefined;
  status?: 401 | 429;
};

function toSignIn(
  context: Context,
  { next, email, problem, status = 401 }: SignInPage,
): Promise<Response> {
  const texts = messages.signIn;
  const providers = context.people.providers.map(({ id, name }) => {
    const path = `/sign-in/with?${new URLSearchParams({ provider: id, next }).toString()}`;
    return html`<p><a class="ui-button wide" href="${path}">${texts.withProvider(name)}</a></p>`;
  });
  const body = html`<h1>${texts.heading}</h1>
    ${alert(problem)}
    <form method="post" action="${signInPath}">
      ${hidden("next", next)}
      ${field(
        {
          name: "email",
          label: messages.page.emailAddress,
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
          label: texts.password,
          type: "password",
          autocomplete: "current-password",
          isFirst: email !== "",
        },
        problem,
      )}
      <button type="submit" class="ui-button primary wide">${texts.submit}</button>
    </form>
    ${providers}
    ${
      context.config.SIGN_UP === "open"
        ? html`<p class="soft">
            ${texts.newHere}
            <a href="${withNext("/sign-up", next)}">${messages.page.createAccount}</a>
          </p>`
        : ""
    }
    <p class="soft"><a href="/forgot-password">${texts.forgotPassword}</a></p>
    ${firstPassword(context)}`;
  return toPage({ title: texts.title, body, status: problem === undefined ? 200 : status });
}

/** Where to find the first owner's password, shown only on a server that no other machine can reach. */
function firstPassword({ config }: Context): Html | "" {
  if (!config.isLoopback || config.DATABASE_URL !== undefined) return "";
  return html`<details>
    <summary>${messages.signIn.firstPassword}</summary>
    <p class="soft">
      The first start printed it in the terminal, for <code>owner@localhost</code>. It is also
      stored in <code>first-run.json</code> in the data folder.
    </p>
  </details>`;
}

function toSecondFactor(
  next: string,
  problem?: string,
  status: 401 | 429 = 401,
): Promise<Response> {
  const texts = messages.secondFactor;
  const body = html`<h1>${texts.title}</h1>
    <p>${texts.lead}</p>
    ${alert(problem)}
    <form method="post" action="${secondFactorPath}">
      ${hidden("next", next)}
      ${field(
        {
          name: "code",
          label: texts.code,
          type: "text",
          autocomplete: "one-time-code",
          isFirst: true,
        },
        problem,
      )}
      <button type="submit" class="ui-button primary wide">${texts.submit}</button>
    </form>
    <p class="soft"><a href="${withNext(signInPath, next)}">${texts.otherAccount}</a></p>`;
  return toPage({ title: texts.title, body, status: problem === undefined ? 200 : status });
}
