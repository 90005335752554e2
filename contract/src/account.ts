import { z } from "zod";
import { scope } from "./scopes.ts";
import { vias } from "./run.ts";

/** An API key in lists, without its value. */
export const apiKey = z
  .object({
    id: z.string(),
    name: z.string(),
    scopes: z.array(scope),
    prefix: z.string(),
    createdAt: z.iso.datetime(),
    expiresAt: z.iso.datetime().nullable(),
    lastUsedAt: z.iso.datetime().nullable(),
    userId: z
      .string()
      .optional()
      .meta({ description: "The key's owner. Only in lists of all keys of a workspace." }),
  })
  .meta({ id: "ApiKey" });
export type ApiKey = z.infer<typeof apiKey>;

/** Body of `POST /api-keys`. */
export const createApiKeyInput = z
  .strictObject({
    name: z
      .string()
      .trim()
      .min(1)
      .max(80)
      .regex(/^[^\p{Cc}\p{Cs}]*$/u, "must be a single line"),
    scopes: z.array(scope).min(1),
    expiresAt: z.iso.datetime({ offset: true }).nullish(),
  })
  .meta({ id: "CreateApiKeyInput" });
export type CreateApiKeyInput = z.infer<typeof createApiKeyInput>;

/** Response of `POST /api-keys`, the only one that contains a key's value. */
export const createdApiKey = apiKey
  .omit({ lastUsedAt: true, userId: true })
  .extend({ key: z.string() })
  .meta({ id: "CreatedApiKey" });
export type CreatedApiKey = z.infer<typeof createdApiKey>;

/** Response of `GET /me`: the authenticated caller. */
export const me = z
  .object({
    user: z.object({ id: z.string(), email: z.string(), name: z.string() }),
    workspace: z.object({ id: z.string(), name: z.string(), role: z.string() }),
    workspaces: z.array(z.object({ id: z.string(), name: z.string(), role: z.string() })),
    scopes: z.array(scope),
    authentication: z.enum(["api_key", "access_token", "session"]),
  })
  .meta({ id: "Me" });
export type Me = z.infer<typeof me>;

/** An event in the audit log. `sequence` and `hash` are null until the event is sealed. */
export const auditEvent = z
  .object({
    id: z.string(),
    at: z.iso.datetime(),
    workspaceId: z.string(),
    actor: z.object({
      userId: z.string().nullable(),
      apiKeyId: z.string().optional(),
      sessionId: z.string().optional(),
      grantId: z.string().optional(),
    }),
    via: z.enum([...vias, "system"]),
    action: z.string(),
    target: z.string(),
    outcome: z.string(),
    requestId: z.string().nullable(),
    ip: z.string().nullable(),
    details: z.record(z.string(), z.json()),
    toolTitle: z.string().optional().meta({
      description:
        "The title of the tool today, in lists of events about a tool that you can see. It is not part of the hash.",
    }),
    sequence: z.int().nullable(),
    hash: z.string().nullable(),
    hidden: z.boolean().optional().meta({
      description:
        "Whether the event concerns another user's draft or private tool. Its target and details are then omitted.",
    }),
  })
  .meta({ id: "AuditEvent" });
export type AuditEvent = z.infer<typeof auditEvent>;
