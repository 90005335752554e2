import { z } from "zod";
import { connectionDraft, connectionStatuses } from "./connection.ts";
import { allowedHost, credentialName } from "./tool.ts";

/** Whose a credential is: the caller's own, or the workspace's, for all its members. */
export const credentialOwners = ["user", "workspace"] as const;
export type CredentialOwner = (typeof credentialOwners)[number];

/** What it is: a value that was given, or a token that an OAuth 2 connection keeps fresh. */
const credentialKinds = ["value", "oauth2"] as const;

const secretValue = z
  .string()
  // A shorter one stands in so many texts that it could not be taken out of them.
  .min(4)
  .max(16_384)
  .regex(/^[^\0\p{Cs}]*$/u, "must be text without NUL");

const credentialHosts = z.array(allowedHost).min(1).max(50).meta({
  description: "The only hosts that the value is ever sent to, whatever a tool declares.",
});

/** Body of `POST /credentials`. */
export const credentialDraft = z
  .strictObject({
    name: credentialName,
    value: secretValue.optional(),
    oauth2: connectionDraft.optional(),
    owner: z.enum(credentialOwners).default("user"),
    hosts: credentialHosts,
  })
  .refine(({ value, oauth2 }) => (value === undefined) !== (oauth2 === undefined), {
    error: "needs either a value or oauth2",
    path: ["value"],
  })
  .meta({ id: "CredentialDraft" });
export type CredentialDraft = z.infer<typeof credentialDraft>;

/** Body of `PUT /credentials/:name`. */
export const credentialReplacement = z
  .strictObject({
    value: secretValue,
    hosts: credentialHosts
      .optional()
      .meta({ description: "As they are, where they are left out." }),
  })
  .meta({ id: "CredentialReplacement" });
export type CredentialReplacement = z.infer<typeof credentialReplacement>;

/** A credential as it is listed and answered: never its value. */
export const credential = z
  .object({
    id: z.string(),
    name: credentialName,
    owner: z.enum(credentialOwners),
    hosts: z.array(z.string()),
    kind: z.enum(credentialKinds),
    status: z.enum(connectionStatuses),
    problem: z.string().nullable().meta({ description: "Why it needs to be connected again." }),
    scopes: z.array(z.string()).nullable().meta({ description: "Of oauth2: what was granted." }),
    expiresAt: z.iso.datetime().nullable().meta({
      description:
        "Of oauth2: when the present token ends. It is renewed before, where that is possible.",
    }),
    createdAt: z.iso.datetime(),
    createdBy: z.string(),
    lastUsedAt: z.iso.datetime().nullable(),
  })
  .meta({ id: "Credential", description: "A secret that tools may use and never see." });
export type Credential = z.infer<typeof credential>;

/** Answer of `POST /credentials` and `POST /credentials/:name/connect`. */
export const createdCredential = credential
  .extend({
    connectUrl: z.url().optional().meta({
      description:
        "Open it in a browser within ten minutes, signed in as yourself, to agree there.",
    }),
  })
  .meta({ id: "CreatedCredential" });
export type CreatedCredential = z.infer<typeof createdCredential>;
