import type { FakeTeam } from "./fake-slack-team.ts";

/** Calls per minute of Slack's tiers, for each method and team. */
const perMinute: Readonly<Record<string, number>> = {
  "agents.sessions.setStatus": 50,
  "assistant.threads.setStatus": 600,
  "assistant.threads.setSuggestedPrompts": 100,
  "chat.appendStream": 100,
  "chat.postEphemeral": 100,
  "chat.startStream": 20,
  "chat.stopStream": 20,
  "chat.update": 50,
  "conversations.replies": 50,
  "reactions.add": 50,
  "reactions.remove": 20,
  "users.info": 100,
  "views.open": 100,
  "views.publish": 100,
  "views.update": 100,
};
/** Messages in one channel, with a short burst. */
const postsPerMinute = 60;
const postBurst = 3;

type Bucket = { left: number; at: number };
const buckets = new WeakMap<FakeTeam, Map<string, Bucket>>();

/** What an app may read per minute that is distributed outside of the marketplace. */
const lowestTier: Readonly<Record<string, number>> = {
  "conversations.history": 1,
  "conversations.replies": 1,
};

/** Forgets the calls of a team, as if a minute had passed. */
export function passMinute(team: FakeTeam): void {
  buckets.delete(team);
}

/** The seconds after which a call may be repeated; 0 if it is within the limits. */
export function limitRate(
  team: FakeTeam,
  method: string,
  { args, isLimited }: { args: Readonly<Record<string, unknown>>; isLimited: boolean },
): number {
  const isPost = method === "chat.postMessage";
  const usual = isPost ? postsPerMinute : perMinute[method];
  const rate =
    (team.isLowestTier ? lowestTier[method] : undefined) ?? (isLimited ? usual : undefined);
  if (rate === undefined) return 0;
  const most = isPost ? postBurst : rate;
  const ofTeam = buckets.get(team) ?? new Map<string, Bucket>();
  buckets.set(team, ofTeam);
  const key = isPost ? `${method} ${String(args["channel"])}` : method;
  const now = Date.now();
  const { left, at } = ofTeam.get(key) ?? { left: most, at: now };
  const refilled = Math.min(most, left + ((now - at) / 60_000) * rate);
  const isWithin = refilled >= 1;
  ofTeam.set(key, { left: isWithin ? refilled - 1 : refilled, at: now });
  return isWithin ? 0 : Math.max(1, Math.ceil(((1 - refilled) * 60) / rate));
}
