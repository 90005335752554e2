import { apiKey, createApiKeyInput, createdApiKey, listOwnedQuery, me } from "@toolhost/contract";
import { z } from "zod";
import { createApiKey, getMe, listApiKeys, revokeApiKey } from "#core/identity";
import { cutPage } from "#lib/page";
import { idOfCursor, linkHeader } from "./paging.ts";
import { defineRoute } from "./route.ts";

/** The caller and their API keys. */
export const accountRoutes = [
  defineRoute({
    method: "get",
    path: "/me",
    operation: "getCurrentUser",
    tag: "Account",
    summary: "Get the current user",
    scope: "any",
    audit: null,
    status: 200,
    response: me,
    handle: async ({ context, caller }) => ({ body: await getMe(context, caller) }),
  }),
  defineRoute({
    method: "get",
    path: "/api-keys",
    operation: "listApiKeys",
    tag: "Account",
    summary: "List your API keys",
    description: "Admins can list the keys of all members of the workspace, with their owners.",
    scope: "session",
    audit: null,
    query: listOwnedQuery,
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
    operation: "createApiKey",
    tag: "Account",
    summary: "Create an API key",
    description: "The value of the key is only in this response.",
    scope: "session",
    audit: "api_key.create",
    isSecret: true,
    body: createApiKeyInput,
    status: 201,
    response: createdApiKey,
    handle: async ({ context, caller, body }) => ({
      body: await createApiKey(context, caller, body),
    }),
  }),
  defineRoute({
    method: "delete",
    path: "/api-keys/{id}",
    operation: "revokeApiKey",
    tag: "Account",
    summary: "Revoke an API key",
    description: "Admins can revoke the keys of all members of the workspace.",
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
];
