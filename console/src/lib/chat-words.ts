type Platform = {
  label: string;
  /** What it calls a group of people that is connected as a whole. */
  team: string;
  /** Whether it tells the e-mail addresses of its people. */
  hasAddresses: boolean;
};

const platforms: Readonly<Record<string, Platform>> = {
  slack: { label: "Slack", team: "team", hasAddresses: true },
  discord: { label: "Discord", team: "server", hasAddresses: false },
};

/** How to speak of a chat platform. One that is not known here goes by its own name. */
export function platformOf(name: string): Platform {
  return platforms[name] ?? { label: name, team: "team", hasAddresses: true };
}

const meanings: readonly (readonly [RegExp, (label: string) => string])[] = [
  [/^internal$/, () => "Something went wrong in the service. Its log tells more, under this id."],
  [
    /invalid_auth|not_authed|account_inactive|org_login_required|token_(?:revoked|expired)|not in the server/,
    (label) => `${label} no longer lets the bot in.`,
  ],
  [
    /channel_not_found|not_in_channel|is_archived|: (?:10003|50001|50013)$/,
    () => "The bot is not let into that channel any more.",
  ],
  [/missing_scope/, (label) => `The app lacks a right at ${label}. Connect it again.`],
  [/too large/, () => "A file was too large."],
  [
    /rate_?limited|rate limited|HTTP 429/,
    (label) => `${label} took no more messages at that moment.`,
  ],
  [
    /no answer|HTTP 5\d\d|(?:fatal|internal)_error|request_timeout|service_unavailable/,
    (label) => `${label} did not answer.`,
  ],
];

/** What a problem that stands on record means, in words. Empty for what tells it in words itself. */
export function problemWords(problem: string, platform: string): string {
  const { label } = platformOf(platform);
  const known = meanings.find(([pattern]) => pattern.test(problem));
  if (known !== undefined) return known[1](label);
  if (/^[A-Z].*\.$/.test(problem)) return "";
  if (/^[a-z_]+$/.test(problem)) return "The service did not do what was asked.";
  return `${label} did not do what it was asked.`;
}
