import { z } from "zod";
import { createConnectionInput, connectionStatuses } from "./connection.ts";
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
  .refine((text) => new TextEncoder().encode(text).length <= 16_384, {
    error: "must be at most 16384 bytes of UTF-8",
  })
  .regex(/^[^\0\p{Cs}]*$/u, "must be text without NUL");

const credentialHosts = z.array(allowedHost).min(1).max(50).meta({
  description: "The only hosts that the value is ever sent to, whatever a tool declares.",
});

const exposable = z.boolean().meta({
  description:
    "Allows tools of this workspace that ask for `expose` to read the value itself. Such code can send or show it in ways that the service cannot recognize.",
});

/** The version of a tool that saving the credential approves as well. */
const approvedVersion = z.strictObject({
  tool: z.string().meta({ description: "The tool's name." }),
  version: z.int().min(1).meta({ description: "The live version that you have looked at." }),
});

/** Body of `POST /credentials`. */
export const createCredentialInput = z
  .strictObject({
    name: credentialName,
    value: secretValue.optional(),
    oauth2: createConnectionInput.optional(),
    owner: z.enum(credentialOwners).default("user"),
    hosts: credentialHosts,
    exposable: exposable.default(false),
    approve: approvedVersion.optional().meta({
      description:
        "Approves what this version of a tool asks for, in the same step; of a connection, once it is connected. When another version is live by then, the credential is saved and nothing is approved.",
    }),
  })
  .refine(({ value, oauth2 }) => (value === undefined) !== (oauth2 === undefined), {
    error: "needs either a value or oauth2",
    path: ["value"],
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
    error: "needs a value, hosts or exposable",
  })
  .meta({ id: "ReplaceCredentialInput" });
export type ReplaceCredentialInput = z.infer<typeof replaceCredentialInput>;

/** A credential as it is listed and answered: never its value. */
export const credential = z
  .object({
    id: z.string(),
    name: credentialName,
    owner: z.enum(credentialOwners),
    hosts: z.array(z.string()),
    exposable,
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
  .meta({
    id: "Credential",
    description: "A secret that tools use. Code reads its value only where `exposable` allows it.",
  });
export type Credential = z.infer<typeof credential>;

/** Answer of `POST /credentials` and `POST /credentials/:name/connect`. */
export const createdCredential = credential
  .extend({
    connectUrl: z.url().optional().meta({
      description:
        "Open it in a browser within ten minutes, signed in as yourself, to agree there.",
    }),
    approved: z.boolean().optional().meta({
      description:
        "Whether the version named by `approve` was approved; false when another one is live.",
    }),
  })
  .meta({ id: "CreatedCredential" });
export type CreatedCredential = z.infer<typeof createdCredential>;
