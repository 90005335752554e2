import type { Problem } from "./fake-slack-blocks.ts";
import type { FakeMessage, FakeTeam } from "./fake-slack-team.ts";

type Args = Readonly<Record<string, unknown>>;
type Answer = Record<string, unknown> | Problem;

/** How many messages a page has: fewer for some apps than they request. */
export function pageSize({ isLowestTier }: FakeTeam, { limit }: Args, usual: number): number {
  const size = Number(limit ?? usual);
  return isLowestTier ? Math.min(size, 15) : size;
}

/** A message, with the count of its replies if it starts a thread. */
export function withReplies({ messages }: FakeTeam, message: FakeMessage) {
  const replies = messages.filter(({ thread_ts: thread }) => thread === message.ts);
  const latest = replies
    .map(({ ts }) => ts)
    .toSorted()
    .at(-1);
  return latest === undefined
    ? message
    : { ...message, reply_count: replies.length, latest_reply: latest };
}

/** A page of a thread: its first message, then the oldest replies in the range. */
export function pageOf(team: FakeTeam, all: readonly FakeMessage[], args: Args): Answer {
  const isInclusive = String(args["inclusive"]) === "true";
  const [oldest, latest] = [textOf(args, "oldest"), textOf(args, "latest")];
  const found = all
    .toSorted((one, other) => Number(one.ts) - Number(other.ts))
    .filter(
      ({ ts }, index) =>
        index === 0 ||
        ((oldest === "" || ts > oldest || (isInclusive && ts === oldest)) &&
          (latest === "" || ts < latest || (isInclusive && ts === latest))),
    );
  const limit = Number(args["limit"] ?? 1_000);
  if (!(limit >= 1 && limit <= 1_000)) return { error: "invalid_limit", why: String(limit) };
  const cursor = textOf(args, "cursor");
  const start = cursor === "" ? 0 : Number(/^next:(\d+)$/.exec(cursor)?.[1] ?? Number.NaN);
  if (Number.isNaN(start)) return { error: "invalid_cursor", why: cursor };
  const end = start + pageSize(team, args, 1_000);
  const hasMetadata = String(args["include_all_metadata"]) === "true";
  const messages = found.slice(start, end).map((message) => ({
    ...withReplies(team, message),
    stream: undefined,
    metadata: hasMetadata ? message.metadata : undefined,
  }));
  const hasMore = end < found.length;
  const next = { response_metadata: { next_cursor: hasMore ? `next:${end}` : "" } };
  return { messages, has_more: hasMore, ...next };
}

function textOf(args: Args, key: string): string {
  const value = args[key];
  return typeof value === "string" ? value : "";
}
