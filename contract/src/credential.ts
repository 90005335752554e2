import { z } from "zod";
import {
  createConnectionInput,
  connectionStatuses,
  minSecretLength,
  tooShort,
} from "./connection.ts";
import { allowedHost } from "./host.ts";
import { credentialName } from "./tool.ts";

/** Who owns a credential: the caller, or the workspace with all its members. */
export const credentialOwners = ["user", "workspace"] as const;
export type CredentialOwner = (typeof credentialOwners)[number];

/** The kind of a credential: a stored value, or a token that an OAuth 2 connection refreshes. */
const credentialKinds = ["value", "oauth2"] as const;

const secretValue = z
  .string()
  .min(minSecretLength, tooShort)
  .max(16_384)
  .refine((text) => new TextEncoder().encode(text).length <= 16_384, {
    error: "must be at most 16384 bytes of UTF-8",
  })
  .regex(/^[^\0\p{Cs}]*$/u, "must not contain NUL characters");

const credentialHosts = z.array(allowedHost).min(1).max(50).meta({
  description: "The only hosts that the value may be sent to, whatever a tool declares.",
});

const exposable = z.boolean().meta({
  description:
    "Whether tools of this workspace may request `expose` to read the value itself. Their code can then send or display it in ways that the service cannot detect.",
});

/** A version of a tool that is approved together with saving the credential. */
const approvedVersion = z.strictObject({
  tool: z.string().meta({ description: "The tool's name." }),
  version: z.int().min(1).meta({ description: "The live version that you reviewed." }),
});

/** Body of `POST /credentials`. */
export const createCredentialInput = z
  .strictObject({
    name: credentialName,
    value: secretValue.optional(),
    oauth2: createConnectionInput.optional(),
    owner: z.enum(credentialOwners).default("user"),
    hosts: credentialHosts.optional().meta({
      description:
        "The only hosts that the value may be sent to, whatever a tool declares. May be omitted for a connection with a `resource`: then, only its host.",
    }),
    exposable: exposable.default(false),
    approve: approvedVersion.optional().meta({
      description:
        "Also approves the access that this version of a tool requests. For a connection, once it is connected. If another version is live by then, the credential is saved and nothing is approved.",
    }),
  })
  .refine(({ value, oauth2 }) => (value === undefined) !== (oauth2 === undefined), {
    error: "must have either value or oauth2, not both",
  })
  .refine(({ hosts, oauth2 }) => hosts !== undefined || oauth2?.resource !== undefined, {
    path: ["hosts"],
    error: "is required",
  })
  .meta({ id: "CreateCredentialInput" });
export type CreateCredentialInput = z.infer<typeof createCredentialInput>;

/** Body of `PUT /credentials/:name`. */
export const replaceCredentialInput = z
  .strictObject({
    value: secretValue.optional(),
    hosts: credentialHosts.optional(),
    exposable: exposable.optional(),
  })
  .refine((change) => Object.values(change).some((field) => field !== undefined), {
    error: "must contain a value, hosts or exposable",
  })
  .meta({ id: "ReplaceCredentialInput" });
export type ReplaceCredentialInput = z.infer<typeof replaceCredentialInput>;

/** A credential in responses, without its value. */
export const credential = z
  .object({
    id: z.string(),
    name: credentialName,
    owner: z.enum(credentialOwners),
    hosts: z.array(z.string()),
    exposable,
    kind: z.enum(credentialKinds),
    status: z.enum(connectionStatuses),
    problem: z.string().nullable().meta({ description: "Why it must be reconnected." }),
    resource: z.string().nullable().meta({
      description: "Only for oauth2: the API that the token is for, such as an MCP server.",
    }),
    scopes: z
      .array(z.string())
      .nullable()
      .meta({ description: "Only for oauth2: the granted scopes." }),
    expiresAt: z.iso.datetime().nullable().meta({
      description:
        "Only for oauth2: when the current token expires. It is refreshed before that, if possible.",
    }),
    createdAt: z.iso.datetime(),
    createdBy: z.string(),
    lastUsedAt: z.iso.datetime().nullable(),
  })
  .meta({
    id: "Credential",
    description: "A secret that tools use. Code can read its value only if `exposable` allows it.",
  });
export type Credential = z.infer<typeof credential>;

/** Response of `POST /credentials` and `POST /credentials/:name/connect`. */
export const createdCredential = credential
  .extend({
    connectUrl: z.url().optional().meta({
      description:
        "Open this URL within ten minutes, in a browser where you are signed in, to give consent.",
    }),
    approved: z.boolean().optional().meta({
      description:
        "Whether the version in `approve` was approved. False if another version is live.",
    }),
  })
  .meta({ id: "CreatedCredential" });
export type CreatedCredential = z.infer<typeof createdCredential>;
