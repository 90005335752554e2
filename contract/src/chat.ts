import { z } from "zod";

/** A chat platform that teams could be connected from. */
export const chatPlatformState = z
  .object({
    platform: z.string(),
    label: z.string(),
    isConfigured: z.boolean().meta({ description: "Whether the server's operator has set it up." }),
    tellsAddresses: z.boolean().meta({
      description:
        "Whether it tells the e-mail addresses of its people. Where it does not, `linkByEmail` links nobody.",
    }),
    manifestUrl: z.url().meta({ description: "What the platform's app is made from." }),
    problem: z.string().nullable().meta({
      description: "Why mentions are not heard there now, for the server's operator.",
    }),
  })
  .meta({ id: "ChatPlatformState" });
export type ChatPlatformState = z.infer<typeof chatPlatformState>;

/** A team of a chat platform that is connected to a workspace. */
export const chatConnection = z
  .object({
    id: z.string(),
    platform: z.string(),
    teamId: z.string(),
    teamName: z.string(),
    state: z.enum(["active", "broken"]).meta({
      description: "broken: the platform takes our token no more; connect the team again.",
    }),
    problem: z.string().nullable(),
    linkByEmail: z.boolean().meta({
      description: "Members are known by the e-mail address that the team has of them.",
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

/** Why something from a chat could not be done. */
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
      "Of the platform: revoked (it takes the bot's token no more), gone (what it was about is not there, or the bot is not let in), missing_right (the app lacks a right; connect the team again), too_large (a file), rate_limited, no_answer, refused (anything else). Of this server: not_set_up (its settings for the platform are missing or not taken; its operator sees to it), service (`problem` is a code of an error), outage (the database), internal (its log tells more).",
  });
export type ChatProblemKind = z.infer<typeof chatProblemKind>;

/** Something from a chat that could not be answered. */
export const deadLetter = z
  .object({
    id: z.string(),
    connectionId: z.string(),
    platform: z.string(),
    kind: z.enum(["message", "answer", "run_ended"]),
    problem: z.string().meta({ description: "Why, as it was said." }),
    problemKind: chatProblemKind
      .nullable()
      .meta({ description: "Null for what was given up before this was kept." }),
    attempts: z.int(),
    receivedAt: z.iso.datetime(),
    failedAt: z.iso.datetime(),
  })
  .meta({ id: "DeadLetter" });
export type DeadLetter = z.infer<typeof deadLetter>;

/** A chat user that a person is. */
export const chatLink = z
  .object({
    id: z.string(),
    platform: z.string(),
    teamName: z.string(),
    workspaceId: z.string(),
    chatUserId: z.string(),
    how: z.enum(["email", "person"]).meta({ description: "How it was found out." }),
    linkedAt: z.iso.datetime(),
  })
  .meta({ id: "ChatLink" });
export type ChatLink = z.infer<typeof chatLink>;
