/** Texts that only Slack needs. */
export const messages = {
  filesOfRun: "The files of your run:",
  feedback: {
    good: { text: "👍", label: "Good result" },
    bad: { text: "👎", label: "Bad result" },
  },
  socketUnreachable: "Can't connect to Slack (Socket Mode). The service keeps trying.",
  socketRefused: (code: string) =>
    `Slack refuses the connection (Socket Mode): ${code}. Check SLACK_APP_TOKEN, and that Socket Mode is on in the app's settings.`,
};
