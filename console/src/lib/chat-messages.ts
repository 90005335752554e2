/** Texts about chat platforms. */
export const messages = {
  platforms: {
    slack: { label: "Slack", team: "Slack workspace" },
    discord: { label: "Discord", team: "Discord server" },
    mattermost: { label: "Mattermost", team: "Mattermost server" },
    teams: { label: "Microsoft Teams", team: "Teams tenant" },
  },
  /** What is connected on a platform that the console does not know. */
  unknownTeam: "chat",
  problems: {
    revoked: (platform: string) => `${platform} revoked the bot's access.`,
    gone: () =>
      "The message or channel was deleted, or the bot no longer has access to the channel.",
    missing_right: (platform: string, team: string) =>
      `The app is missing a permission at ${platform}. Reconnect the ${team}.`,
    too_large: () => "A file was too large.",
    rate_limited: (platform: string) => `${platform} rate-limited the bot.`,
    no_answer: (platform: string) => `${platform} didn't respond.`,
    refused: (platform: string) => `${platform} rejected the request.`,
    not_set_up: (platform: string) =>
      `${platform} rejected this server's settings. Ask the operator of this server for help.`,
    service: () => "The service failed to process the request.",
    internal: () => "An internal error occurred. The server's log has details under this ID.",
  },
} as const;
