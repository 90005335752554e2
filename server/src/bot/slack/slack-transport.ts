import { z } from "zod";
import { ChatError, isRateLimited } from "#core/chat";
import type { ChatProfile, ChatTeam, PlatformTransport } from "#core/chat";
import { createSlackCall } from "./slack-call.ts";
import type { CallSlack } from "./slack-call.ts";
import { createFeatures } from "./slack-features.ts";
import type { Features } from "./slack-features.ts";
import { downloadSlackFile, uploadSlackFile } from "./slack-files.ts";
import { toSlackView } from "./slack-form.ts";
import { createPanels } from "./slack-panels.ts";
import { createPace } from "./slack-pace.ts";
import type { Pace } from "./slack-pace.ts";
import { withPrivateThreads } from "./private-thread.ts";
import { callWithContent, contents, postPrivately, respondTo } from "./slack-post.ts";
import { createSlackStatus } from "./slack-status.ts";
import { openSlackStream, updateSlackMessage } from "./slack-stream.ts";
import { createTiers } from "./slack-tiers.ts";
import type { Tiers } from "./slack-tiers.ts";
import { findInChannel, findMarked, readThread, toMetadata } from "./slack-thread.ts";

/** What this process knows about the limits of Slack's teams. */
type Limits = { pace: Pace; features: Features; tiers: Tiers };

export function createLimits(): Limits {
  return { pace: createPace(), features: createFeatures(), tiers: createTiers() };
}

/** The transport into one team. The hint is the URL for responses to a command or press. */
export function openSlack(
  apiUrl: string,
  { teamId, botUserId, secret }: ChatTeam,
  { pace, features, tiers }: Limits = createLimits(),
  hint?: string,
): Required<PlatformTransport> {
  const call = createSlackCall(apiUrl, secret);
  const access = { apiUrl, token: secret, call };
  const reading = { call, teamId, botUserId, tiers };
  const transport: Required<PlatformTransport> = {
    acknowledge: async ({ channel, messageId }) => {
      const seen = { channel, timestamp: messageId, name: "eyes" };
      await ignoring("already_reacted", call("reactions.add", seen));
    },
    finish: async ({ channel, messageId: timestamp }, outcome) => {
      const name = outcome === "succeeded" ? "white_check_mark" : "x";
      if (outcome !== undefined)
        await ignoring("already_reacted", call("reactions.add", { channel, timestamp, name }));
      const seen = { channel, timestamp, name: "eyes" };
      await ignoring("no_reaction", call("reactions.remove", seen));
    },
    post: createPost(teamId, call, pace),
    postToChannel: (channel, message, isRetry) =>
      postToChannel(call, botUserId, { channel, ...message }, isRetry),
    update: (threadRef, message) => updateSlackMessage(call, threadRef, message),
    ...createLive({ teamId, call, features }, pace),
    postEphemeral: async ({ channel, thread }, user, blocks) => {
      const threadRef = { channel, ...(thread === undefined ? {} : { thread_ts: thread }) };
      await callWithContent(call, "chat.postEphemeral", contents(blocks), { ...threadRef, user });
    },
    postPrivately: (channel, user, blocks) => postPrivately(call, { channel, user, blocks }),
    respond: (responseUrl, blocks) => respondTo(apiUrl, responseUrl, contents(blocks)),
    findMarked: (threadRef, mark, since) => findMarked(reading, { threadRef, mark, since }),
    openForm: async (triggerId, form) => {
      const view = toSlackView(form);
      // An earlier delivery of the same press opened it.
      await ignoring("exchanged_trigger_id", call("views.open", { trigger_id: triggerId, view }));
    },
    // A form of a message that does not show all of it has no buttons.
    showsWhole: () => true,
    panels: createPanels({ teamId, call, features }),
    readThread: (threadRef, bounds) => readThread(reading, threadRef, bounds),
    findProfile: (user) => findProfile(call, teamId, user),
    downloadFile: (file, maxBytes) => downloadSlackFile(access, file, maxBytes),
    uploadFile: (threadRef, file) => uploadSlackFile(access, threadRef, file),
    check: async () => {
      await call("auth.test", {});
    },
    revoke: async () => {
      await call("auth.revoke", {});
    },
  };
  return withPrivateThreads(transport, { apiUrl, call, hint });
}

/** Posts no faster than the channel allows. */
function createPost(teamId: string, call: CallSlack, pace: Pace): PlatformTransport["post"] {
  return async ({ channel, thread }, { blocks, mark, notify }) => {
    const key = `${teamId} ${channel}`;
    await pace.wait(key);
    try {
      const answer = await callWithContent(call, "chat.postMessage", contents(blocks, notify), {
        channel,
        thread_ts: thread,
        metadata: toMetadata(mark),
      });
      return posted.parse(answer).ts;
    } catch (error) {
      if (isRateLimited(error)) pace.limit(key, error.retryAfterMs);
      throw error;
    }
  };
}

/** What shows that the bot works, where Slack has it. */
function createLive(
  team: Parameters<typeof createSlackStatus>[0],
  pace: Pace,
): Required<Pick<PlatformTransport, "setStatus" | "openStream">> {
  return {
    setStatus: createSlackStatus(team),
    openStream: (threadRef, streamed) =>
      pace.isLimited(`${team.teamId} ${threadRef.channel}`)
        ? undefined
        : openSlackStream(team, { threadRef, ...streamed }),
  };
}

type ChannelMessage = Parameters<PlatformTransport["postToChannel"]>[1] & { channel: string };

async function postToChannel(
  call: CallSlack,
  botUserId: string,
  { channel, blocks, mark }: ChannelMessage,
  isRetry: boolean,
): Promise<void> {
  if (isRetry && (await findInChannel(call, botUserId, { channel, mark }))) return;
  await callWithContent(call, "chat.postMessage", contents(blocks), {
    channel,
    metadata: toMetadata(mark),
  });
}

const posted = z.object({ ts: z.string() });

/** Waits for a call whose effect may be there already. */
async function ignoring(code: string, called: Promise<unknown>): Promise<void> {
  try {
    await called;
  } catch (error) {
    if (!(error instanceof ChatError) || !error.message.endsWith(`: ${code}`)) throw error;
  }
}

/** Flags that Slack always sends; all are false for a full member of the team. */
const alwaysSentFlags = ["deleted", "is_bot", "is_restricted", "is_ultra_restricted"] as const;
/** Flags that Slack sends only when they are true. */
const sentIfTrueFlags = [
  "is_app_user",
  "is_connector_bot",
  "is_forgotten",
  "is_invited_user",
  "is_stranger",
  "is_workflow_bot",
] as const;

const info = z.object({
  user: z.object({
    id: z.string().optional(),
    team_id: z.string().optional(),
    name: z.string().default(""),
    real_name: z.string().optional(),
    deleted: z.unknown().optional(),
    is_bot: z.unknown().optional(),
    is_restricted: z.unknown().optional(),
    is_ultra_restricted: z.unknown().optional(),
    is_app_user: z.unknown().optional(),
    is_connector_bot: z.unknown().optional(),
    is_forgotten: z.unknown().optional(),
    is_invited_user: z.unknown().optional(),
    is_stranger: z.unknown().optional(),
    is_workflow_bot: z.unknown().optional(),
    is_email_confirmed: z.unknown().optional(),
    enterprise_user: z.object({ teams: z.array(z.string()).catch([]) }).nullish(),
    profile: z
      .object({ email: z.string().optional(), display_name: z.string().optional() })
      .optional(),
  }),
});

async function findProfile(call: CallSlack, teamId: string, user: string): Promise<ChatProfile> {
  const found = info.parse(await call("users.info", { user })).user;
  const name = found.profile?.display_name || found.real_name || found.name || user;
  const isTrusted =
    found.id === user && isFullMember(found, teamId) && found.is_email_confirmed === true;
  return { name, email: isTrusted ? found.profile?.email : undefined };
}

/** Missing or malformed flags count against the user: a guest's email address is set by others. */
function isFullMember(user: z.infer<typeof info>["user"], teamId: string): boolean {
  // In an organization, a user may be a member of one team and a guest in another.
  const isOfTeam =
    user.team_id === teamId && (user.enterprise_user?.teams.includes(teamId) ?? true);
  return (
    isOfTeam &&
    user.id !== "USLACKBOT" &&
    alwaysSentFlags.every((flag) => user[flag] === false) &&
    sentIfTrueFlags.every((flag) => user[flag] === undefined || user[flag] === false)
  );
}
