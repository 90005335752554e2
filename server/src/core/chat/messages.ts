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
    `The form for ${title} couldn't be opened here. Fill it in on a page, or try again. The link is valid for 30 minutes and works only for you.`,
  formOnPage: (title: string) =>
    `Fill in the form for ${title} on this page. The link is valid for 30 minutes and works only for you.`,
  openForm: "Open the form",
  nothingChanged: "Nothing changed",
  loading: "Loading…",
  panelNotOpened: "The form couldn't be opened. Try again, or tell me in a message what to run.",
  tryLater: "Something went wrong. Close this and try again.",
  linkAccountFirst:
    "To run tools for you I need to know your Toolhost account. Link it, then try again.",
  runToolTitle: "Run a tool",
  runWithMessageTitle: "Run with this message",
  noToolForMessage:
    "I found no tool for this message. Mention me in its thread and say what to do with it.",
  chooseTool: "Which tool should I run? I'll post the result in the message's thread.",
  choose: "Choose",
  run: "Run",
  open: "Open",
  browseTools: "Browse tools",
  commandReceived: (text: string) => `Working on “${text}”…`,
  notConnected: "This chat isn't connected to a Toolhost workspace. Ask an admin to connect it.",
  promptHelp: "What can you do?",

  // Home
  homeUnlinked:
    "To run tools for you I need to know your Toolhost account. Link it, then open this page again.",
  homeWelcome:
    "Run your tools from here, mention me in a channel, or send me a message with what to do.",
  homePending: "Waiting for you",
  homeRunning: "Running",
  homeTools: "Your tools",
  homeOtherTools: "Tools to try",
  homeConnect: "Connect accounts",
  homeConfirm: (title: string) => `${title} asks you to confirm a run.`,
  homeNeedsCredentials: (title: string) => `${title} needs credentials to run.`,
  homeAsks: (title: string) => `${title} asks you a question.`,
  homeRun: (title: string) => `${title} is running.`,

  tryAgain: "Try again",
  disconnected: "This chat is no longer connected, so nothing was done.",
  expired: "This has expired, so nothing was done. Send your request again.",
  alreadyAnswered: "This was already answered. To run the tool once more, send your request again.",
  notYours: "Only the user who asked can answer this, so nothing was done.",
  unknownUser: "Your account is no longer linked. Mention me to link it again.",
  unverifiedUser: "I can't check who you are right now, so nothing was done. Try again.",
  formLinkInvalid: "This link is invalid or has expired. Press the button in the chat again.",
  formOfOther:
    "This form is for another user. Sign in with the account that is linked to the chat user who asked.",
  notInWorkspace:
    "You're not a member of the workspace that this chat is connected to. Ask an admin to invite you.",
  otherUserSignedIn: "Another user is signed in now. Open the link again.",
  formChanged: (title: string) =>
    `${title} has changed since this form was made, so nothing was done. Press the button in the chat again.`,
  toolGone: "This tool no longer exists, so nothing was done.",
};
