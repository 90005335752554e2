/** Texts of the bot outside of answers. */
export const messages = {
  linkAccount:
    "To run tools for you I need to know your Toolhost account. Link it, and I'll continue. This link is only for you.",
  linkAccountButton: "Link account",
  notAMember: (teamName: string) =>
    `Your account isn't a member of the workspace that ${teamName} is connected to. Ask a workspace admin to invite you.`,
  jobFailed: (jobId: string) =>
    `Something went wrong, and I couldn't answer. A workspace admin can find the details under ${jobId}.`,
  cannotPostHere: "I can't post in that channel, so here is my answer:",
  formNotOpened: (title: string) =>
    `The form for ${title} couldn't be opened. Try again, or run the tool on its page.`,
  tryAgain: "Try again",
  openTool: "Open the tool",
  disconnected: "This chat is no longer connected, so nothing was done.",
  expired: "This has expired, so nothing was done. Ask me again.",
  alreadyAnswered: "This was already answered. Ask me again to run it once more.",
  notYours: "Only the user who asked can answer this, so nothing was done.",
  unknownUser: "Your account is no longer linked. Mention me to link it again.",
  unverifiedUser: "I can't check who you are right now, so nothing was done. Try again.",
  toolGone: "This tool no longer exists, so nothing was done.",
};
