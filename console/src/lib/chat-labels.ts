import type { ChatProblemKind } from "@toolhost/contract";

type Platform = {
  label: string;
  /** What it calls a group of people that is connected as a whole. */
  team: string;
};

const platforms: Readonly<Record<string, Platform>> = {
  slack: { label: "Slack", team: "team" },
  discord: { label: "Discord", team: "server" },
};

/** How to speak of a chat platform. One that is not known here goes by its own name. */
export function chatPlatform(name: string): Platform {
  return platforms[name] ?? { label: name, team: "team" };
}

/** Null where the problem itself is a sentence. */
const meanings: Readonly<Record<ChatProblemKind, ((platform: Platform) => string) | null>> = {
  revoked: ({ label }) => `${label} no longer lets the bot in.`,
  gone: () => "What it was about is gone, or the bot is not let into that channel any more.",
  missing_right: ({ label, team }) =>
    `The app lacks a right at ${label}. Connect the ${team} again.`,
  too_large: () => "A file was too large.",
  rate_limited: ({ label }) => `${label} took no more messages at that moment.`,
  no_answer: ({ label }) => `${label} did not answer.`,
  refused: ({ label }) => `${label} did not do what it was asked.`,
  not_set_up: ({ label }) =>
    `${label} does not take this server's settings. The server's operator sees to it.`,
  service: () => "The service did not do what was asked.",
  outage: null,
  internal: () => "Something went wrong in the service. Its log tells more, under this id.",
};

/** What a kind of problem means, in words; undefined where the problem tells it best itself. */
export function chatProblemText(
  kind: ChatProblemKind | null,
  platform: string,
): string | undefined {
  return kind === null ? undefined : meanings[kind]?.(chatPlatform(platform));
}
