/** Texts that several features share. */
export const messages = {
  copyFailed: "The browser didn't allow copying. Select the text and copy it yourself.",

  roles: {
    owner: {
      label: "Owner",
      hint: "Full access, including transferring and deleting the workspace",
    },
    admin: {
      label: "Admin",
      hint: "Manages members, shared credentials, API keys and settings, and reads the audit log",
    },
    builder: { label: "Builder", hint: "Creates and edits tools" },
    member: { label: "Member", hint: "Runs tools and manages their own credentials" },
    viewer: { label: "Viewer", hint: "Views tools and runs, but can't run tools" },
  },
  scopes: {
    "mcp:read": "View tools, documentation and runs",
    "mcp:execute": "Run tools, cancel runs and upload files",
    "tools:write": "Create, edit and archive tools",
    "credentials:write": "Add, connect and delete credentials",
    "audit:read": "Read the audit log",
  },
  chatPlatforms: {
    slack: { label: "Slack", team: "team" },
    discord: { label: "Discord", team: "server" },
  },
  chatProblems: {
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
