import { z } from "zod";
import { scope } from "./scopes.ts";

/** A client that a person lets act for them in one workspace. */
export const connectedApp = z
  .object({
    id: z.string(),
    clientName: z.string(),
    clientUri: z.string().nullable(),
    workspaceId: z.string(),
    scopes: z.array(scope),
    createdAt: z.iso.datetime(),
    lastUsedAt: z.iso.datetime().nullable(),
  })
  .meta({ id: "ConnectedApp" });
export type ConnectedApp = z.infer<typeof connectedApp>;
