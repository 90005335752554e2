import {
  receiveBotRemoval,
  receiveMessage,
  recordMessageEdit,
  recordThreadMessage,
} from "#core/chat";
import type { Context } from "#core/context";
import { placeOf, readTeamsText, toChatFiles, toHint, toMessageId } from "./teams-activity.ts";
import type { Activity } from "./teams-activity.ts";

/** Handles an activity that needs no response. Once this returns, a message to the bot is in the inbox. */
export async function handleActivity(
  context: Context,
  botUserId: string,
  given: Activity,
): Promise<void> {
  const { teamId, channel } = placeOf(given);
  switch (given.type) {
    case "message":
      return handleMessage(context, botUserId, given);
    case "messageUpdate":
    case "messageDelete": {
      const text = given.type === "messageUpdate" ? readTeamsText(given, botUserId).text : null;
      const messageId = toMessageId(given.id, given.timestamp);
      return recordMessageEdit(context, "teams", { teamId, channel, messageId, text });
    }
    case "installationUpdate": {
      if (given.action?.startsWith("remove") !== true) return undefined;
      // A conversation that the app was removed from refuses its messages; the tenant may have others.
      const eventId = `${channel} ${given.id}`;
      return receiveBotRemoval(context, "teams", { teamId, eventId, reason: "uninstalled" });
    }
    default:
      return undefined;
  }
}

async function handleMessage(context: Context, botUserId: string, given: Activity): Promise<void> {
  const { teamId, channel, thread, isChat } = placeOf(given);
  const { text, isMention } = readTeamsText(given, botUserId);
  const message = {
    teamId,
    channel,
    thread,
    text,
    messageId: toMessageId(given.id, given.timestamp),
    chatUserId: given.from.id,
    files: toChatFiles(given),
    eventId: `${channel} ${given.id}`,
  };
  if (isMention || given.conversation.conversationType === "personal") {
    const received = { ...message, hint: toHint(given), isDirect: isChat };
    await receiveMessage(context, "teams", received);
  } else if (!isChat) {
    await recordThreadMessage(context, "teams", message);
  }
}
