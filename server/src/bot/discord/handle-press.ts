import { z } from "zod";
import { ChatError, pressButton } from "#core/chat";
import type { Context } from "#core/context";
import { readButtonId } from "./discord-message.ts";
import { writeHint } from "./interaction-hint.ts";
import { ephemeralResponse } from "./interaction.ts";
import type { Interaction } from "./interaction.ts";
import { messages } from "./messages.ts";

const press = z.object({ custom_id: z.string().max(100) });

/** Handles a button press. The answer is in the database before the press is acknowledged. */
export async function handlePress(context: Context, given: Interaction): Promise<Response> {
  const parsed = press.safeParse(given.data);
  const pressed = parsed.success ? readButtonId(parsed.data.custom_id) : undefined;
  if (pressed === undefined) return Response.json({ type: 6 });
  const { id, token, teamId, chatUserId, threadRef } = given;
  const triggerId = writeHint({ kind: "press", id, token });
  try {
    const outcome = await pressButton(context, "discord", {
      ...threadRef,
      ...pressed,
      teamId,
      chatUserId,
      triggerId,
    });
    // The response was sent to the callback URL of the interaction.
    const isAnswered = outcome === "notified" || outcome === "asked";
    return isAnswered ? new Response(null, { status: 202 }) : Response.json({ type: 6 });
  } catch (error) {
    if (!(error instanceof ChatError)) throw error;
    context.log.debug({ err: error }, "a button press could not be answered");
    return ephemeralResponse(messages.pressAgain);
  }
}
