import {
  createCredentialInput,
  createdCredential,
  credential,
  credentialName,
  credentialQuery,
  pageQuery,
  replaceCredentialInput,
} from "@toolhost/contract";
import { z } from "zod";
import {
  connectCredential,
  createCredential,
  deleteCredential,
  listCredentials,
  replaceCredential,
} from "#core/vault";
import { cutPage } from "#lib/page";
import { idOfCursor, linkHeader } from "./paging.ts";
import { defineRoute } from "./route.ts";

const tag = "Credentials";
const byName = z.object({ name: credentialName });

/** The secrets that tools use. */
export const credentialRoutes = [
  defineRoute({
    method: "get",
    path: "/credentials",
    operation: "listCredentials",
    tag,
    summary: "List credentials",
    description: "Returns your credentials and those of the workspace, never their values.",
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
    operation: "createCredential",
    tag,
    summary: "Create a credential",
    description:
      "Tools that declare its name get a placeholder; only requests to the hosts of the credential carry the value. Send either a `value`, or `oauth2` for a token that the service gets from a provider and refreshes. With `authorization_code`, open the `connectUrl` of the response in a browser.",
    scope: "credentials:write",
    audit: "credential.create",
    body: createCredentialInput,
    status: 201,
    response: createdCredential,
    // The `connectUrl` is for one user, and must not be readable at rest.
    isSecret: true,
    errors: ["credential_name_taken", "connection_failed"],
    handle: async ({ context, caller, body }) => ({
      body: await createCredential(context, caller, body),
    }),
  }),
  defineRoute({
    method: "post",
    path: "/credentials/{name}/connect",
    operation: "reconnectCredential",
    tag,
    summary: "Reconnect a credential",
    description:
      "Returns a new `connectUrl` to give consent at the provider, or gets a new token where no consent is needed. Uses your credential of this name, or else that of the workspace.",
    scope: "credentials:write",
    audit: "credential.connect",
    params: byName,
    query: credentialQuery,
    status: 200,
    response: createdCredential,
    isSecret: true,
    errors: ["not_found", "connection_failed"],
    handle: async ({ context, caller, params, query }) => ({
      body: await connectCredential(context, caller, params.name, query.owner),
    }),
  }),
  defineRoute({
    method: "put",
    path: "/credentials/{name}",
    operation: "updateCredential",
    tag,
    summary: "Update a credential",
    description:
      "Updates your credential of this name, or else that of the workspace. New runs get the new value; runs in progress use the old one. An OAuth connection is reconnected instead.",
    scope: "credentials:write",
    audit: "credential.replace",
    params: byName,
    query: credentialQuery,
    body: replaceCredentialInput,
    status: 200,
    response: credential,
    errors: ["not_found"],
    handle: async ({ context, caller, params: { name }, query: { owner }, body }) => ({
      body: await replaceCredential(context, caller, { name, owner }, body),
    }),
  }),
  defineRoute({
    method: "delete",
    path: "/credentials/{name}",
    operation: "deleteCredential",
    tag,
    summary: "Delete a credential",
    description: "Deletes your credential of this name, or else that of the workspace.",
    scope: "credentials:write",
    audit: "credential.delete",
    params: byName,
    query: credentialQuery,
    status: 204,
    response: null,
    errors: ["not_found"],
    handle: async ({ context, caller, params, query }) => {
      await deleteCredential(context, caller, params.name, query.owner);
      return { body: null };
    },
  }),
];
