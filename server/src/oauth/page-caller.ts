import type { Context as HonoContext } from "hono";
import { html } from "hono/html";
import { authenticateSession, requireScope } from "#core/identity";
import type { Caller } from "#core/kernel";
import type { Context } from "#core/context";
import { ServiceError } from "#core/kernel";
import type { AppEnv } from "#rest";
import type { PageRequest } from "./auth-client.ts";
import { hidden } from "./fields.ts";
import { messages } from "./messages.ts";
import type { Html } from "./page.ts";

export function pageRequestOf(c: HonoContext<AppEnv>): PageRequest {
  return { request: c.req.raw, origin: c.get("origin") };
}

/**
 * The browser's user in the requested workspace, with the scope `credentials:write`; undefined if not signed in.
 * Throws `insufficient_scope`, `not_found`.
 */
export async function findPageCaller(
  context: Context,
  { request, origin }: PageRequest,
  workspaceId: string | null,
): Promise<Caller | undefined> {
  if ((await context.people.findSession(request.headers)) === undefined) return undefined;
  const caller = await authenticateSession(
    context,
    request.headers,
    workspaceId ?? undefined,
    origin,
  );
  requireScope(caller, "credentials:write");
  return caller;
}

/** Hidden fields with the user and the workspace that a page was shown for. */
export function callerFields({ userId, workspaceId }: Caller): Html {
  return html`${hidden("person", userId)} ${hidden("workspace", workspaceId)}`;
}

/**
 * The user who sent a form, in the workspace of the page. Throws `forbidden` also if another user has signed in since the
 * page was shown, because the page described the effect for the first user only.
 */
export async function requirePageCaller(
  context: Context,
  page: PageRequest,
  form: URLSearchParams,
): Promise<Caller> {
  const caller = await findPageCaller(context, page, form.get("workspace"));
  const person = form.get("person");
  if (caller !== undefined && (person === null || person === caller.userId)) return caller;
  if (caller !== undefined) {
    throw new ServiceError("forbidden", messages.page.otherPersonSignedIn);
  }
  throw new ServiceError("forbidden", messages.page.sessionExpired);
}
