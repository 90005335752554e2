import type { Context } from "#core/context";
import { chatCallbackUrl } from "#core/chat";
import { messageShortcut } from "./handle-panel.ts";
import { messages } from "./messages.ts";

const text = messages.manifest;

/** The OAuth scopes of the bot. */
export const botScopes = [
  "app_mentions:read",
  "assistant:write",
  "channels:history",
  "chat:write",
  "commands",
  "files:read",
  "files:write",
  "groups:history",
  "im:history",
  "mpim:history",
  "reactions:write",
  "users:read",
  "users:read.email",
] as const;

/** Event subscriptions. Messages in channels are stored only in threads in which the bot was mentioned. */
const botEvents = [
  "agent_session_stopped",
  "app_home_opened",
  "app_mention",
  "app_uninstalled",
  "message.channels",
  "message.groups",
  "message.im",
  "message.mpim",
  "tokens_revoked",
];

/** The manifest from which Slack creates an app for this server. In Socket Mode Slack needs no address of it. */
export function createManifest(context: Context, isSocketMode: boolean): object {
  const { baseUrl } = context.config;
  const atUrl = (url: object) => (isSocketMode ? {} : url);
  return {
    display_information: { name: text.name, description: text.description },
    features: {
      // Shows a Stop button and suggested prompts where the workspace's plan has agents.
      agent_view: {
        agent_description: text.agentDescription,
        suggested_prompts: text.prompts,
      },
      app_home: {
        home_tab_enabled: true,
        messages_tab_enabled: true,
        messages_tab_read_only_enabled: false,
      },
      bot_user: { display_name: "toolhost", always_online: true },
      shortcuts: [
        {
          name: text.shortcut,
          type: "message",
          callback_id: messageShortcut,
          description: text.shortcutDescription,
        },
      ],
      slash_commands: [
        {
          command: "/toolhost",
          description: text.commandDescription,
          usage_hint: text.usageHint,
          should_escape: true,
          ...atUrl({ url: `${baseUrl}/bot/slack/commands` }),
        },
      ],
    },
    oauth_config: {
      redirect_urls: [chatCallbackUrl(context, "slack")],
      scopes: { bot: botScopes },
    },
    settings: {
      event_subscriptions: {
        ...atUrl({ request_url: `${baseUrl}/bot/slack/events` }),
        bot_events: botEvents,
      },
      interactivity: {
        is_enabled: true,
        ...atUrl({ request_url: `${baseUrl}/bot/slack/interactions` }),
      },
      org_deploy_enabled: false,
      socket_mode_enabled: isSocketMode,
      token_rotation_enabled: false,
    },
  };
}
