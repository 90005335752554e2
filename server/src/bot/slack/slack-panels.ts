import { z } from "zod";
import { ChatError } from "#core/chat";
import type { ChatPanels } from "#core/chat";
import type { CallSlack } from "./slack-call.ts";
import { toHomeView, toPanelView } from "./slack-views.ts";

const opened = z.object({ view: z.object({ id: z.string() }) });
const linked = z.object({ permalink: z.url({ protocol: /^https$/ }) });

/** Modals and the App Home of Slack. */
export function createPanels(call: CallSlack): ChatPanels {
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
