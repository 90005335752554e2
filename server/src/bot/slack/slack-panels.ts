import { z } from "zod";
import { ChatError } from "#core/chat";
import type { ChatPanels } from "#core/chat";
import type { CallSlack } from "./slack-call.ts";
import { clip } from "./slack-blocks.ts";
import type { Features } from "./slack-features.ts";
import { toHomeView, toPanelView } from "./slack-views.ts";

const opened = z.object({ view: z.object({ id: z.string() }) });
const linked = z.object({ permalink: z.url({ protocol: /^https$/ }) });

type Team = { teamId: string; call: CallSlack; features: Features };

/** Slack shows four prompts at most. */
const maxPrompts = 4;
const maxPromptTitle = 100;
const promptsPerMinute = 80;

/** Modals and the App Home of Slack. */
export function createPanels({ teamId, call, features }: Team): ChatPanels {
  const prompts = `${teamId} prompts`;
  return {
    open: async (triggerId, panel) => {
      try {
        const answer = await call("views.open", {
          trigger_id: triggerId,
          view: toPanelView(panel),
        });
        return opened.parse(answer).view.id;
      } catch (error) {
        // An earlier delivery of the same interaction opened it.
        if (hasCode(error, "exchanged_trigger_id")) return undefined;
        throw error;
      }
    },
    update: async (panelId, panel) => {
      try {
        await call("views.update", { view_id: panelId, view: toPanelView(panel) });
      } catch (error) {
        // The person has closed it.
        if (!hasCode(error, "not_found")) throw error;
      }
    },
    publishHome: async (user, home, hash) => {
      const version = hash === undefined ? {} : { hash };
      try {
        await call("views.publish", { user_id: user, view: toHomeView(home), ...version });
        return true;
      } catch (error) {
        if (hasCode(error, "hash_conflict")) return false;
        throw error;
      }
    },
    suggest: async (channel, suggested) => {
      if (!features.isAllowed(prompts, channel) || !features.take(prompts, promptsPerMinute))
        return;
      const values = suggested.slice(0, maxPrompts).map(({ title, message }) => ({
        title: clip(title, maxPromptTitle),
        message,
      }));
      await features.use(prompts, channel, () =>
        call("assistant.threads.setSuggestedPrompts", { channel_id: channel, prompts: values }),
      );
    },
    findUrl: async (channel, messageId) => {
      if (!/^\d+\.\d+$/.test(messageId)) return undefined;
      const answer = await call("chat.getPermalink", { channel, message_ts: messageId });
      return linked.safeParse(answer).data?.permalink;
    },
  };
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof ChatError && error.message.endsWith(`: ${code}`);
}
