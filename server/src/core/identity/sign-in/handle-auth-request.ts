import { z } from "zod";
import { clientAddressHeader, requestIdHeader } from "../access/internal-headers.ts";
import { findPersonByEmail } from "../access/workspace-store.ts";
import { recordAccountEvent } from "../access/account-events.ts";
import type { RequestOrigin } from "#core/kernel";
import type { IdentityContext } from "../context.ts";
import { addressSubject, chargePoints } from "#core/limits";
import { consumeTotpCode } from "./consume-totp-code.ts";

type AuthContext = Pick<IdentityContext, "db" | "limits" | "log" | "people">;

/** Paths that could be used to guess secrets or to make the service send emails. */
const limitedPaths =
  /^\/(?:sign-in\/|sign-up\/|request-password-reset|reset-password|send-verification-email|verify-email|verify-password|change-password|two-factor\/|callback\/|oauth2\/)/;
const mailPaths = /^\/(?:sign-up\/email|request-password-reset|send-verification-email)$/;
const signInPaths = /^\/(?:sign-in\/email|two-factor\/verify-|callback\/|oauth2\/callback\/)/;
const callbackPath = /^\/(?:callback|oauth2\/callback)\//;
const changePaths =
  /^\/(?:change-password|set-password|update-user|link-social|unlink-account|two-factor\/)/;

const fields = z.object({
  email: z.string().max(320).optional(),
  code: z.string().max(100).optional(),
});

/**
 * Handles `/api/auth/*`: limits guesses, passes the request to the sign-in library, and records account events. Throws
 * `rate_limited`.
 */
export async function handleAuthRequest(
  context: AuthContext,
  request: Request,
  origin: RequestOrigin,
): Promise<Response> {
  const path = new URL(request.url).pathname.replace(/^\/api\/auth/, "");
  const body = request.body === null ? undefined : await request.text();
  const email = readEmail(body);
  if (limitedPaths.test(path)) await chargePoints(context, "sign-ins", addressSubject(origin.ip));
  if (mailPaths.test(path)) await chargePoints(context, "mails", `to ${email}`);
  // Charged before the attempt and refunded on success, so that concurrent guesses cannot exceed the limit.
  const failure =
    path === "/sign-in/email"
      ? await context.limits.charge([{ policy: "failed-sign-ins", subject: accountSubject(email) }])
      : undefined;
  const headers = withInternalHeaders(request.headers, origin);
  const before = await sessionBefore(context, path, headers);
  const { url, method } = request;
  const answer = await context.people.handle(
    new Request(url, { method, headers, ...(body === undefined || body === "" ? {} : { body }) }),
  );
  if (answer.status < 400) failure?.refund();
  if (path === "/two-factor/verify-totp" && answer.ok && before === undefined) {
    const session = await sessionOf(context, answer);
    const isNew =
      session !== undefined && (await consumeTotpCode(context, session, readCode(body)));
    if (!isNew)
      return Response.json({ code: "INVALID_CODE", message: "Invalid code" }, { status: 401 });
  }
  await record(context, { path, headers, before, answer, email });
  // A browser opens the callback of a provider, so an error there redirects to the sign-in page.
  const isFailedCallback = answer.status >= 400 && answer.status < 500 && callbackPath.test(path);
  return isFailedCallback
    ? new Response(null, { status: 303, headers: { location: "/sign-in?error=refused" } })
    : answer;
}

function accountSubject(email: string): string {
  return `account:${Buffer.from(email).toString("base64url").slice(0, 100)}`;
}

function readEmail(body: string | undefined): string {
  return readText(body, "email").trim().toLowerCase();
}

function readCode(body: string | undefined): string {
  return readText(body, "code");
}

/** A text field of a JSON body; empty if it is missing. */
function readText(body: string | undefined, field: "email" | "code"): string {
  try {
    return fields.parse(JSON.parse(body ?? ""))[field] ?? "";
  } catch {
    return "";
  }
}

function withInternalHeaders(given: Headers, { ip, requestId }: RequestOrigin): Headers {
  const headers = new Headers(given);
  headers.delete(clientAddressHeader);
  if (ip !== null) headers.set(clientAddressHeader, ip);
  headers.set(requestIdHeader, requestId);
  return headers;
}

type Session = { userId: string; sessionId: string };

/** The session before a request that ends or changes it. */
async function sessionBefore(context: AuthContext, path: string, headers: Headers) {
  if (path !== "/sign-out" && !changePaths.test(path)) return undefined;
  return context.people.findSession(headers);
}

/** The new session of a response, if it starts one. */
async function sessionOf(context: AuthContext, answer: Response): Promise<Session | undefined> {
  const cookies = answer.headers.getSetCookie().map((line) => line.split(";", 1)[0]);
  if (cookies.length === 0) return undefined;
  return context.people.findSession(new Headers({ cookie: cookies.join("; ") }));
}

type Happened = {
  path: string;
  headers: Headers;
  before: Session | undefined;
  answer: Response;
  /** The email address in the request. */
  email: string;
};

/** Records a failed sign-in to an existing account. */
async function recordFailure(context: AuthContext, email: string, headers: Headers): Promise<void> {
  try {
    const person = await findPersonByEmail(context.db, email);
    if (person === undefined) return;
    await recordAccountEvent(context.db, headers, {
      actor: { userId: person.id },
      action: "account.sign_in",
      outcome: "failure",
      details: { how: "sign-in/email" },
    });
  } catch (error) {
    context.log.warn({ err: error }, "a failed sign-in was not recorded");
  }
}

async function record(context: AuthContext, happened: Happened): Promise<void> {
  const { path, headers, before, answer, email } = happened;
  if (answer.status >= 400) {
    // Not awaited, so that the response time does not reveal whether the account exists.
    if (path === "/sign-in/email") setImmediate(() => void recordFailure(context, email, headers));
    return;
  }
  if (before !== undefined) {
    const action = path === "/sign-out" ? "account.sign_out" : "account.change";
    const details = path === "/sign-out" ? {} : { what: path.slice(1) };
    return recordAccountEvent(context.db, headers, { actor: before, action, details });
  }
  if (!signInPaths.test(path)) return;
  const session = await sessionOf(context, answer);
  // Undefined until the second factor is verified.
  if (session === undefined) return;
  await recordAccountEvent(context.db, headers, {
    actor: { userId: session.userId, sessionId: session.sessionId },
    action: "account.sign_in",
    details: { how: path.slice(1) },
  });
}
