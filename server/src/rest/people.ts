import { accountExport, deleteAccountInput, pageQuery, session } from "@toolhost/contract";
import { z } from "zod";
import { deleteAccount, exportAccount, listSessions, revokeSession } from "#core/workspaces";
import { cutPage } from "#lib/page";
import { idOfCursor, linkHeader } from "./paging.ts";
import { defineRoute } from "./route.ts";

const tag = "Account";

/** A person's own account: where they are signed in, what is kept of them, and its end. */
export const peopleRoutes = [
  defineRoute({
    method: "get",
    path: "/sessions",
    tag,
    summary: "List where you are signed in",
    scope: "person",
    audit: null,
    query: pageQuery,
    status: 200,
    response: z.array(session),
    handle: async ({ context, caller, query: { limit, cursor }, url }) => {
      const page = { limit: limit + 1, after: idOfCursor(cursor) };
      const found = await listSessions(context, caller, page);
      const { shown, next } = cutPage(found, limit, ({ id }) => id);
      return { body: shown, headers: linkHeader(context.config.baseUrl, url, next) };
    },
  }),
  defineRoute({
    method: "delete",
    path: "/sessions/{id}",
    tag,
    summary: "Sign out of one browser",
    scope: "person",
    audit: "session.revoke",
    params: z.object({ id: z.string() }),
    status: 204,
    response: null,
    errors: ["not_found"],
    handle: async ({ context, caller, params }) => {
      await revokeSession(context, caller, params.id);
      return { body: null };
    },
  }),
  defineRoute({
    method: "get",
    path: "/me/export",
    tag,
    summary: "Get all that is kept of you",
    description:
      "Profile, memberships, your tools, runs, the names of your keys and credentials, and what you did. No secrets.",
    scope: "person",
    audit: null,
    status: 200,
    response: accountExport,
    handle: async ({ context, caller }) => ({
      body: {},
      stream: await exportAccount(context, caller),
      contentType: "application/json",
      headers: { "content-disposition": 'attachment; filename="toolhost-account.json"' },
    }),
  }),
  defineRoute({
    method: "delete",
    path: "/me",
    tag,
    summary: "Delete your account",
    description:
      "Needs your password, or a sign-in of the last ten minutes. Runs and audit events stay and name an id that leads to nobody; tools you shared stay.",
    scope: "person",
    audit: "account.delete",
    body: deleteAccountInput,
    status: 204,
    response: null,
    errors: ["forbidden", "last_owner", "rate_limited"],
    handle: async ({ context, caller, body, headers }) => {
      const live = await context.people.findSession(headers);
      const proof = { password: body.password, signedInAt: live?.createdAt ?? 0 };
      await deleteAccount(context, caller, proof);
      return { body: null };
    },
  }),
];
