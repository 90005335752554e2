/** Texts about starting and following runs. */
export const messages = {
  copied: "Copied",
  startRetrying: "The service is unreachable. Retrying: the tool runs only once.",
  startUnknown:
    "The service is unreachable, so it is unknown whether the run started. Check the list of runs.",
  connectionLost: "Connection lost. The run continues; reconnecting…",
  failed: "The tool failed.",
  via: {
    rest: "via REST",
    mcp: "via MCP",
    bot: "in a chat",
    console: "in the console",
    schedule: "by schedule",
  },
} as const;
