import { credential, credentialDraft, credentialName, credentialOwners } from "@toolhost/contract";
import { z } from "zod";
import { createCredential, deleteCredential, listCredentials } from "#core/credentials";
import { cutPage } from "#lib/page";
import { idOfCursor, linkHeader, pageQuery } from "./paging.ts";
import { defineRoute } from "./route.ts";

const tag = "Credentials";

/** Keeps the secrets that tools use. */
export const credentialRoutes = [
  defineRoute({
    method: "get",
    path: "/credentials",
    tag,
    summary: "List your credentials and the workspace's",
    description: "Their values are never answered.",
    scope: "credentials:write",
    audit: null,
    query: pageQuery,
    status: 200,
    response: z.array(credential),
    handle: async ({ context, caller, query: { limit, cursor }, url }) => {
      const page = { limit: limit + 1, after: idOfCursor(cursor) };
      const found = await listCredentials(context, caller, page);
      const { shown, next } = cutPage(found, limit, ({ id }) => id);
      return { body: shown, headers: linkHeader(context.config.baseUrl, url, next) };
    },
  }),
  defineRoute({
    method: "post",
    path: "/credentials",
    tag,
    summary: "Keep a credential",
    description:
      "Tools that declare its name get a placeholder; only requests to the credential's own hosts carry the value.",
    scope: "credentials:write",
    audit: "credential.create",
    body: credentialDraft,
    status: 201,
    response: credential,
    errors: ["credential_name_taken"],
    handle: async ({ context, caller, body }) => ({
      body: await createCredential(context, caller, body),
    }),
  }),
  defineRoute({
    method: "delete",
    path: "/credentials/{name}",
    tag,
    summary: "Delete a credential",
    description: "Your own of this name, or else the workspace's.",
    scope: "credentials:write",
    audit: "credential.delete",
    params: z.object({ name: credentialName }),
    query: z.object({
      owner: z.enum(credentialOwners).optional().meta({ description: "Which of the two." }),
    }),
    status: 204,
    response: null,
    errors: ["not_found"],
    handle: async ({ context, caller, params, query }) => {
      await deleteCredential(context, caller, params.name, query.owner);
      return { body: null };
    },
  }),
];
