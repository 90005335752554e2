import { z } from "zod";
import { scope } from "./scopes.ts";

/** A client that a person lets act for them in one workspace. */
export const connectedApp = z
  .object({
    id: z.string(),
    clientName: z.string(),
    /** Of a client that is known by its own description, the https address of that. */
    clientId: z.string(),
    clientUri: z.string().nullable(),
    workspaceId: z.string(),
    scopes: z.array(scope),
    createdAt: z.iso.datetime(),
    lastUsedAt: z.iso.datetime().nullable(),
    /** Whom it acts for; in an admin's list of everybody's apps. */
    user: z.object({ id: z.string(), name: z.string(), email: z.string() }).optional(),
  })
  .meta({ id: "ConnectedApp" });
export type ConnectedApp = z.infer<typeof connectedApp>;
