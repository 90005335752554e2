import type { Context } from "#core/context";
import { chatCallbackUrl } from "#core/chat";

/** The OAuth scopes of the bot. */
export const botScopes = [
  "app_mentions:read",
  "channels:history",
  "chat:write",
  "files:read",
  "files:write",
  "groups:history",
  "im:history",
  "reactions:write",
  "users:read",
  "users:read.email",
] as const;

/** Event subscriptions. Messages in channels are stored only in threads in which the bot was mentioned. */
const botEvents = [
  "app_mention",
  "app_uninstalled",
  "message.channels",
  "message.groups",
  "message.im",
  "tokens_revoked",
];

/** The manifest from which Slack creates an app for this server. */
export function createManifest(context: Context): object {
  const { baseUrl } = context.config;
  return {
    display_information: { name: "Toolhost", description: "Runs your workspace's tools" },
    features: {
      app_home: { messages_tab_enabled: true, messages_tab_read_only_enabled: false },
      bot_user: { display_name: "toolhost", always_online: true },
    },
    oauth_config: {
      redirect_urls: [chatCallbackUrl(context, "slack")],
      scopes: { bot: botScopes },
    },
    settings: {
      event_subscriptions: {
        request_url: `${baseUrl}/bot/slack/events`,
        bot_events: botEvents,
      },
      interactivity: { is_enabled: true, request_url: `${baseUrl}/bot/slack/interactions` },
      org_deploy_enabled: false,
      socket_mode_enabled: false,
      token_rotation_enabled: false,
    },
  };
}
