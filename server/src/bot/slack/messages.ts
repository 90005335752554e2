/** Texts that only Slack needs. */
export const messages = {
  manifest: {
    name: "Toolhost",
    description: "Runs your workspace's tools",
    agentDescription: "Finds and runs your workspace's tools",
    prompts: [
      { title: "What can you do?", message: "What can you do?" },
      { title: "Show the tools", message: "List tools" },
    ],
    shortcut: "Run a tool with this message",
    shortcutDescription: "Finds a tool for the message and fills in its form",
    commandDescription: "Find and run a tool",
    usageHint: "convert 5 miles to km",
  },
  filesOfRun: "The files of your run:",
  feedback: {
    good: { text: "👍", label: "Good result" },
    bad: { text: "👎", label: "Bad result" },
  },
  socketUnreachable: "Can't connect to Slack (Socket Mode). The service keeps trying.",
  socketRefused: (code: string) =>
    `Slack refuses the connection (Socket Mode): ${code}. Check SLACK_APP_TOKEN, and that Socket Mode is on in the app's settings.`,
};
