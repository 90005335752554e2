import { z } from "zod";
import { allowedHost, credentialName } from "./tool.ts";

/** Whose a credential is: the caller's own, or the workspace's, for all its members. */
export const credentialOwners = ["user", "workspace"] as const;

/** Body of `POST /credentials`. */
export const credentialDraft = z
  .strictObject({
    name: credentialName,
    value: z
      .string()
      // A shorter one stands in so many texts that it could not be taken out of them.
      .min(4)
      .max(16_384)
      .regex(/^[^\0\p{Cs}]*$/u, "must be text without NUL"),
    owner: z.enum(credentialOwners).default("user"),
    hosts: z.array(allowedHost).min(1).max(50).meta({
      description: "The only hosts that the value is ever sent to, whatever a tool declares.",
    }),
  })
  .meta({ id: "CredentialDraft" });
export type CredentialDraft = z.infer<typeof credentialDraft>;

/** A credential as it is listed and answered: never its value. */
export const credential = z
  .object({
    id: z.string(),
    name: credentialName,
    owner: z.enum(credentialOwners),
    hosts: z.array(z.string()),
    createdAt: z.iso.datetime(),
    createdBy: z.string(),
    lastUsedAt: z.iso.datetime().nullable(),
  })
  .meta({ id: "Credential", description: "A secret that tools may use and never see." });
export type Credential = z.infer<typeof credential>;
