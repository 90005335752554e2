import { z } from "zod";

/** A chat platform that teams could be connected from. */
export const chatPlatformState = z
  .object({
    platform: z.string(),
    label: z.string(),
    isConfigured: z.boolean().meta({ description: "Whether the server's operator has set it up." }),
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

/** Body of `PATCH /workspaces/{id}/chat/{connectionId}`. */
export const chatConnectionPatch = z
  .strictObject({ linkByEmail: z.boolean() })
  .meta({ id: "ChatConnectionPatch" });

/** Something from a chat that could not be answered. */
export const givenUpMessage = z
  .object({
    id: z.string(),
    connectionId: z.string(),
    platform: z.string(),
    kind: z.enum(["message", "answer", "run_ended"]),
    problem: z.string(),
    attempts: z.int(),
    receivedAt: z.iso.datetime(),
    givenUpAt: z.iso.datetime(),
  })
  .meta({ id: "GivenUpMessage" });
export type GivenUpMessage = z.infer<typeof givenUpMessage>;

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
