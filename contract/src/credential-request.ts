import { z } from "zod";
import { missingCredential } from "./approval.ts";

/** A user who waits for an admin to add or approve what a tool needs. */
export const credentialRequest = z
  .object({
    id: z.string(),
    tool: z.object({ name: z.string(), title: z.string() }),
    user: z.object({ id: z.string(), name: z.string() }),
    missing: z
      .array(missingCredential.pick({ name: true, reason: true }))
      .meta({ description: "What the tool still lacks for this user." }),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: "CredentialRequest", description: "A request for credentials of the workspace." });
export type CredentialRequest = z.infer<typeof credentialRequest>;
