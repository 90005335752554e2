import { z } from "zod";

/** A chat platform whose teams can be connected. */
export const chatPlatformState = z
  .object({
    platform: z.string(),
    label: z.string(),
    isConfigured: z
      .boolean()
      .meta({ description: "Whether the server's operator has configured the platform." }),
    providesEmails: z.boolean().meta({
      description:
        "Whether the platform provides its users' email addresses. If not, `linkByEmail` has no effect.",
    }),
    manifestUrl: z.url().meta({ description: "Manifest for creating the platform's app." }),
    problem: z.string().nullable().meta({
      description: "Why the bot does not receive mentions now, for the server's operator.",
    }),
  })
  .meta({ id: "ChatPlatformState" });
export type ChatPlatformState = z.infer<typeof chatPlatformState>;

/** A chat team that is connected to a workspace. */
export const chatConnection = z
  .object({
    id: z.string(),
    platform: z.string(),
    teamId: z.string(),
    teamName: z.string(),
    state: z.enum(["active", "broken"]).meta({
      description: "`broken`: the platform rejects the bot's token. Reconnect the chat.",
    }),
    problem: z.string().nullable(),
    linkByEmail: z.boolean().meta({
      description: "Whether chat users are linked to members with the same email address.",
    }),
    missingScopes: z.array(z.string()).meta({
      description:
        "The permissions that the app lacks because it was installed earlier. Features that need them are off: update the app, then connect the chat again.",
    }),
    connectedBy: z.string(),
    connectedAt: z.iso.datetime(),
  })
  .meta({ id: "ChatConnection" });
export type ChatConnection = z.infer<typeof chatConnection>;

/** Answer of `POST /workspaces/{id}/chat/{platform}/connect`. */
export const chatConnectUrl = z.object({ url: z.url() }).meta({ id: "ChatConnectUrl" });
export type ChatConnectUrl = z.infer<typeof chatConnectUrl>;

/** Body of `PATCH /workspaces/{id}/chat/{connectionId}`. */
export const updateChatConnectionInput = z
  .strictObject({ linkByEmail: z.boolean() })
  .meta({ id: "UpdateChatConnectionInput" });

/** Why a chat message could not be processed. */
export const chatProblemKind = z
  .enum([
    "revoked",
    "gone",
    "missing_right",
    "too_large",
    "rate_limited",
    "no_answer",
    "refused",
    "not_set_up",
    "service",
    "outage",
    "internal",
  ])
  .meta({
    id: "ChatProblemKind",
    description:
      "Platform errors: `revoked` (the bot's token is no longer valid), `gone` (the channel or message no longer exists, or the bot cannot access it), `missing_right` (the app lacks a permission; reconnect the chat), `too_large` (a file), `rate_limited`, `no_answer` (no response), `refused` (any other error). Server errors: `not_set_up` (the operator's settings for the platform are missing or invalid), `service` (`problem` is an error code), `outage` (the database is unavailable), `internal` (see the server's log).",
  });
export type ChatProblemKind = z.infer<typeof chatProblemKind>;

/** A chat message that could not be processed. */
export const deadLetter = z
  .object({
    id: z.string(),
    connectionId: z.string(),
    platform: z.string(),
    kind: z.enum(["message", "answer", "run_ended"]),
    problem: z.string().meta({ description: "The error message." }),
    problemKind: chatProblemKind
      .nullable()
      .meta({ description: "Null for dead letters from before this field existed." }),
    attempts: z.int(),
    receivedAt: z.iso.datetime(),
    failedAt: z.iso.datetime(),
  })
  .meta({ id: "DeadLetter" });
export type DeadLetter = z.infer<typeof deadLetter>;

/** The link between a chat user and an account. */
export const chatLink = z
  .object({
    id: z.string(),
    platform: z.string(),
    teamName: z.string(),
    workspaceId: z.string(),
    chatUserId: z.string(),
    how: z.enum(["email", "person"]).meta({
      description: "Whether it was linked by email address (`email`) or by the user (`person`).",
    }),
    linkedAt: z.iso.datetime(),
  })
  .meta({ id: "ChatLink" });
export type ChatLink = z.infer<typeof chatLink>;
