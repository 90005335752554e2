import { z } from "zod";
import { address, apiAddress, webAddress, whole } from "./config-values.ts";

/** The chat bot: its apps at the chat platforms, and its language model. */
export const chatSettings = {
  SLACK_CLIENT_ID: z
    .string()
    .min(1)
    .optional()
    .describe(
      "Client ID of the Slack app of the chat bot. Create the app from the manifest at `/bot/slack/manifest`; see [Connect a chat](../connect/connect-chat.md).",
    ),
  SLACK_CLIENT_SECRET: z.string().min(1).optional().describe("Its secret."),
  SLACK_SIGNING_SECRET: z.string().min(1).optional().describe("Verifies requests from Slack."),
  SLACK_APP_TOKEN: z
    .string()
    .startsWith("xapp-", "must be an app-level token, which starts with xapp-")
    .optional()
    .describe(
      "App-level token with the scope `connections:write`. With it, the service receives events over a connection that it opens (Socket Mode), so Slack need not reach this server.",
    ),
  SLACK_API_URL: apiAddress
    .default("https://slack.com/api/")
    .describe("Slack Web API, with a trailing slash."),
  DISCORD_APPLICATION_ID: z
    .string()
    .regex(/^\d{1,20}$/, "must be a number")
    .optional()
    .describe(
      "ID of the Discord application of the chat bot. `/bot/discord/manifest` shows what to enter there for this server. With these settings the service also connects to Discord's gateway to receive mentions of the bot.",
    ),
  DISCORD_PUBLIC_KEY: z
    .string()
    .regex(/^[0-9a-f]{64}$/i, "must be 64 hexadecimal digits")
    .optional()
    .describe("Verifies requests from Discord."),
  DISCORD_BOT_TOKEN: z.string().min(1).optional().describe("Token of the bot."),
  DISCORD_CLIENT_SECRET: z.string().min(1).optional().describe("Secret of the application."),
  DISCORD_API_URL: apiAddress
    .default("https://discord.com/api/v10/")
    .describe("Discord API, with a trailing slash."),
  MATTERMOST_URL: address.optional().meta({
    description:
      "URL of the Mattermost server of the chat bot; see [Connect a chat](../connect/connect-chat.md).",
    example: "https://chat.example.com",
  }),
  MATTERMOST_BOT_TOKEN: z.string().min(1).optional().describe("Token of the bot account."),
  MATTERMOST_CLIENT_ID: z
    .string()
    .min(1)
    .optional()
    .describe("Client ID of an OAuth 2.0 application of the Mattermost server."),
  MATTERMOST_CLIENT_SECRET: z.string().min(1).optional().describe("Its secret."),
  TEAMS_APP_ID: z
    .guid()
    .optional()
    .describe(
      "Application ID of the Azure Bot of the chat bot; see [Connect a chat](../connect/connect-chat.md). `/bot/teams/manifest` shows what to enter there for this server.",
    ),
  TEAMS_TENANT_ID: z
    .guid()
    .optional()
    .describe("ID of the Microsoft Entra tenant of the application."),
  TEAMS_CLIENT_SECRET: z.string().min(1).optional().describe("Its client secret."),
  TEAMS_SERVICE_URL: apiAddress
    .default("https://smba.trafficmanager.net/teams/")
    .describe(
      "Bot Connector of Microsoft Teams, with a trailing slash. The service sends the bot's token to this host only. Clouds of governments have their own.",
    ),
  TEAMS_LOGIN_URL: apiAddress
    .default("https://login.microsoftonline.com/")
    .describe("Microsoft Entra ID, with a trailing slash."),
  TEAMS_OPENID_URL: webAddress
    .default("https://login.botframework.com/v1/.well-known/openidconfiguration")
    .describe("OpenID metadata of the Bot Connector, whose keys verify requests from Teams."),
  CHAT_MODEL_PROVIDER: z
    .enum(["anthropic", "openai-compatible"])
    .optional()
    .describe(
      "Provider of the language model of the chat bot. Without it, the bot offers tools by keywords.",
    ),
  CHAT_MODEL: z.string().min(1).optional().describe("Name of the language model."),
  CHAT_MODEL_API_KEY: z.string().min(1).optional().describe("API key of the provider."),
  CHAT_MODEL_URL: address.optional().meta({
    description: "URL of the model.",
    unset: "the provider's, or OpenAI's",
    example: "http://localhost:11434/v1",
  }),
  CHAT_MODEL_TIMEOUT_MS: whole(100, 120_000)
    .default(45_000)
    .describe("Timeout of a request to the model."),
  CHAT_MODEL_MAX_TOKENS: whole(1_000, 10_000_000)
    .default(100_000)
    .describe("Tokens for all steps of one message."),
};

/** Settings of which either all or none are set. */
export const chatApps = [
  {
    label: "Slack app",
    settings: ["SLACK_CLIENT_ID", "SLACK_CLIENT_SECRET", "SLACK_SIGNING_SECRET"],
  },
  {
    label: "Discord application",
    settings: [
      "DISCORD_APPLICATION_ID",
      "DISCORD_PUBLIC_KEY",
      "DISCORD_BOT_TOKEN",
      "DISCORD_CLIENT_SECRET",
    ],
  },
  {
    label: "Mattermost server",
    settings: [
      "MATTERMOST_URL",
      "MATTERMOST_BOT_TOKEN",
      "MATTERMOST_CLIENT_ID",
      "MATTERMOST_CLIENT_SECRET",
    ],
  },
  {
    label: "Teams app",
    settings: ["TEAMS_APP_ID", "TEAMS_TENANT_ID", "TEAMS_CLIENT_SECRET"],
  },
] as const;
