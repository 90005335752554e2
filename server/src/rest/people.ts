import { accountExport, deleteAccountInput, pageQuery, session } from "@toolhost/contract";
import { z } from "zod";
import { deleteAccount, exportAccount, listSessions, revokeSession } from "#core/workspaces";
import { cutPage } from "#lib/page";
import { idOfCursor, linkHeader } from "./paging.ts";
import { defineRoute } from "./route.ts";

const tag = "Account";

/** The account of a user: sessions, data export and deletion. */
export const peopleRoutes = [
  defineRoute({
    method: "get",
    path: "/sessions",
    operation: "listSessions",
    tag,
    summary: "List your sessions",
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
    operation: "revokeSession",
    tag,
    summary: "Revoke a session",
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
    operation: "exportMyData",
    tag,
    summary: "Export your data",
    description:
      "Returns your profile, memberships, tools, runs, audit events and the names of your keys and credentials, without secrets.",
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
    operation: "deleteMyAccount",
    tag,
    summary: "Delete your account",
    description:
      "Requires your password, or a sign-in within the last ten minutes. Your run records and audit events remain, with an ID that no longer refers to a user. Tools that you shared remain as well.",
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
