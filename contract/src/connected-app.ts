import { z } from "zod";
import { scope } from "./scopes.ts";

/** A client that a person authorized to act for them in one workspace. */
export const connectedApp = z
  .object({
    id: z.string(),
    clientName: z.string(),
    /** For clients with a Client ID Metadata Document, its HTTPS URL. */
    clientId: z.string(),
    clientUri: z.string().nullable(),
    workspaceId: z.string(),
    scopes: z.array(scope),
    createdAt: z.iso.datetime(),
    lastUsedAt: z.iso.datetime().nullable(),
    /** The user that it acts for. Only in an admin's list of all apps. */
    user: z.object({ id: z.string(), name: z.string(), email: z.string() }).optional(),
  })
  .meta({ id: "ConnectedApp" });
export type ConnectedApp = z.infer<typeof connectedApp>;
