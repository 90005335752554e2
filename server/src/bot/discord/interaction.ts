import type { APIInteractionResponse } from "discord-api-types/v10";
import type { ChatButton, ThreadRef } from "#core/chat";
import { privateFlag, toDiscordMessage } from "./discord-message.ts";

/** An interaction of a member of a connected server. */
export type Interaction = {
  id: string;
  token: string;
  teamId: string;
  chatUserId: string;
  threadRef: ThreadRef;
  /** Unparsed. */
  data: unknown;
};

/** A response that only the user of the interaction sees. */
export function ephemeralResponse(text: string, buttons: readonly ChatButton[] = []): Response {
  const { content } = toDiscordMessage([
    { kind: "text", text },
    { kind: "buttons", buttons },
  ]);
  const body: APIInteractionResponse = {
    type: 4,
    data: { ...content, flags: content.flags + privateFlag },
  };
  return Response.json(body);
}
