import { apiKey, apiKeyDraft, auditEvent, createdApiKey, me } from "@toolhost/contract";
import { z } from "zod";
import { createApiKey, describeCaller, listApiKeys, revokeApiKey } from "#core/access";
import { listAuditEvents } from "#core/audit";
import { cutPage } from "#lib/page";
import { idOfCursor, linkHeader, pageQuery, time } from "./paging.ts";
import { defineRoute } from "./route.ts";

/** Who the caller is, their keys, and the workspace's audit trail. */
export const accountRoutes = [
  defineRoute({
    method: "get",
    path: "/me",
    tag: "Account",
    summary: "Get who you are to the service",
    scope: "any",
    audit: null,
    status: 200,
    response: me,
    handle: async ({ context, caller }) => ({ body: await describeCaller(context, caller) }),
  }),
  defineRoute({
    method: "get",
    path: "/api-keys",
    tag: "Account",
    summary: "List your API keys",
    description: "Admins may list those of everybody in the workspace, with whose they are.",
    scope: "session",
    audit: null,
    query: pageQuery.extend({ owner: z.enum(["me", "anyone"]).default("me") }),
    status: 200,
    response: z.array(apiKey),
    handle: async ({ context, caller, query: { limit, cursor, owner }, url }) => {
      const page = { limit: limit + 1, after: idOfCursor(cursor), owner };
      const keys = await listApiKeys(context, caller, page);
      const { shown, next } = cutPage(keys, limit, ({ id }) => id);
      return { body: shown, headers: linkHeader(context.config.baseUrl, url, next) };
    },
  }),
  defineRoute({
    method: "post",
    path: "/api-keys",
    tag: "Account",
    summary: "Create an API key",
    description: "The key's value is in this answer and nowhere else.",
    scope: "session",
    audit: "api_key.create",
    isSecret: true,
    body: apiKeyDraft,
    status: 201,
    response: createdApiKey,
    handle: async ({ context, caller, body }) => ({
      body: await createApiKey(context, caller, body),
    }),
  }),
  defineRoute({
    method: "delete",
    path: "/api-keys/{id}",
    tag: "Account",
    summary: "Revoke an API key",
    description: "Admins may revoke those of everybody in the workspace.",
    scope: "session",
    audit: "api_key.revoke",
    params: z.object({ id: z.string() }),
    status: 204,
    response: null,
    errors: ["not_found"],
    handle: async ({ context, caller, params }) => {
      await revokeApiKey(context, caller, params.id);
      return { body: null };
    },
  }),
  defineRoute({
    method: "get",
    path: "/audit-events",
    tag: "Audit",
    summary: "List audit events, newest first",
    scope: "audit:read",
    audit: null,
    query: pageQuery.extend({
      actor: z.string().max(100).optional().meta({ description: "Id of a user." }),
      action: z.string().max(100).optional(),
      target: z.string().max(200).optional(),
      since: time,
      until: time,
    }),
    status: 200,
    response: z.array(auditEvent),
    handle: async ({ context, caller, query, url }) => {
      const { limit, cursor, ...filter } = query;
      const page = { limit: limit + 1, after: idOfCursor(cursor) };
      const events = await listAuditEvents(context, caller, filter, page);
      const { shown, next } = cutPage(events, limit, ({ id }) => id);
      return { body: shown, headers: linkHeader(context.config.baseUrl, url, next) };
    },
  }),
];
