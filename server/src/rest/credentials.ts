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
      "Tools that declare its name get a placeholder; only requests to the credential's own hosts carry the value. Give a `value`, or `oauth2` for a token that is got from a provider and kept fresh: with `authorization_code`, open the `connectUrl` of the answer in a browser.",
    scope: "credentials:write",
    audit: "credential.create",
    body: createCredentialInput,
    status: 201,
    response: createdCredential,
    // The address in the answer is for one person, and at rest for nobody.
    isSecret: true,
    errors: ["credential_name_taken", "connection_failed"],
    handle: async ({ context, caller, body }) => ({
      body: await createCredential(context, caller, body),
    }),
  }),
  defineRoute({
    method: "post",
    path: "/credentials/{name}/connect",
    tag,
    summary: "Connect a credential again",
    description:
      "Gives a new `connectUrl` to agree at the provider, or gets a new token where nobody has to agree. Your own credential of this name, or else the workspace's.",
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
    tag,
    summary: "Replace the value of a credential",
    description:
      "Your own of this name, or else the workspace's. Runs that begin from then on get the new value; those at work keep the old one. A connection is connected again instead.",
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
    tag,
    summary: "Delete a credential",
    description: "Your own of this name, or else the workspace's.",
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
