import { ChatError } from "#core/chat";
import type { PlatformTransport } from "#core/chat";
import { clip } from "./slack-blocks.ts";
import type { CallSlack } from "./slack-call.ts";
import type { Features } from "./slack-features.ts";

/** Slack's limit for the title of a status. */
const maxTitleLength = 50;
/** Slack accepts 600 statuses of a team per minute, and 50 states of its agent sessions. */
const statusesPerMinute = 500;
const sessionsPerMinute = 40;

type Team = { teamId: string; call: CallSlack; features: Features };
type SetStatus = NonNullable<PlatformTransport["setStatus"]>;

/**
 * Shows the bot's status in a thread, until its next message. In an app that is declared as an agent, Slack shows a Stop
 * button as well while the agent's session is in progress.
 */
export function createSlackStatus({ teamId, call, features }: Team): SetStatus {
  const statuses = `${teamId} status`;
  const sessions = `${teamId} session`;
  const inProgress = new Set<string>();
  return async ({ channel, thread }, chatUserId, status) => {
    const where = { channel_id: channel, thread_ts: thread };
    if (features.isAllowed(statuses, channel) && features.take(statuses, statusesPerMinute)) {
      const shown =
        status === undefined
          ? { status: "" }
          : { status: status.sentence, loading_messages: [clip(status.title, maxTitleLength)] };
      const method = "assistant.threads.setStatus";
      await orRefused(features.use(statuses, channel, () => call(method, { ...where, ...shown })));
    }
    const setSession = (state: object) =>
      orRefused(
        features.use(sessions, channel, () =>
          call("agents.sessions.setStatus", { ...where, ...state }),
        ),
      );
    if (status === undefined) {
      if (inProgress.delete(thread)) await setSession({ status: "active" });
      return;
    }
    // A session that is started has to be ended, so both calls are taken at once.
    if (inProgress.has(thread) || !features.take(sessions, sessionsPerMinute, 2)) return;
    const isStarted = await setSession({ status: "processing", initiator_user_id: chatUserId });
    if (isStarted) inProgress.add(thread);
  };
}

/** Whether an optional call succeeded. Throws `ChatError` if the token is no longer valid. */
async function orRefused(called: Promise<unknown>): Promise<boolean> {
  try {
    await called;
    return true;
  } catch (error) {
    if (!(error instanceof ChatError) || error.failure === "revoked") throw error;
    return false;
  }
}
