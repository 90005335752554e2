/** Texts that only Mattermost needs. */
export const messages = {
  unreachable: "Can't connect to Mattermost. The service keeps trying.",
  tokenRefused:
    "Mattermost refuses MATTERMOST_BOT_TOKEN. Create another token for the bot account.",
};
