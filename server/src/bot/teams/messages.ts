/** Texts that only Microsoft Teams needs. */
export const messages = {
  adminsOnly: "Only a Teams administrator or global administrator of the tenant can connect it.",
  openChat: "Open a chat",
  openChatFirst:
    "The answer is for you alone, but the app can't write to you yet. Open a chat with it, add it there, and ask again.",
  pressTaken: "Received. The answer appears in this conversation.",
  pressUnknown: "This button no longer works. Ask again.",
  formTaken: "Sent. The answer appears in this conversation.",
  formField: "Check this field.",
  tooLong: "This message is too long to show in full.",
};
