import type { Context as HonoContext } from "hono";
import { html } from "hono/html";
import { authenticateSession, requireScope } from "#core/identity";
import type { Caller } from "#core/kernel";
import type { Context } from "#core/context";
import { ServiceError } from "#core/kernel";
import type { Door } from "#rest";
import type { PageRequest } from "./ask-sign-in.ts";
import { hidden } from "./fields.ts";
import type { Html } from "./page.ts";

export function pageRequestOf(c: HonoContext<Door>): PageRequest {
  return { request: c.req.raw, origin: c.get("origin") };
}

/**
 * The person of the browser, in the workspace asked for, who may decide about credentials; undefined when they have to
 * sign in first. Throws `insufficient_scope`, `not_found`.
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

/** The fields that say for which person a page was shown, and in which workspace. */
export function seenBy({ userId, workspaceId }: Caller): Html {
  return html`${hidden("person", userId)} ${hidden("workspace", workspaceId)}`;
}

/**
 * The person who sent a form, in the workspace that the page was about. Throws `forbidden`, also when somebody else signed
 * in since the page was shown: it did not say what the form does for them.
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
    throw new ServiceError("forbidden", "Somebody else is signed in now. Open the link again.");
  }
  throw new ServiceError("forbidden", "You are no longer signed in. Open the link again.");
}
