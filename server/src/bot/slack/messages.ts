/** Texts that only Slack needs. */
export const messages = {
  filesOfRun: "The files of your run:",
};
