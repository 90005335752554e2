import { z } from "zod";
import { address, apiAddress, whole } from "./config-values.ts";

/** The chat bot: its apps at the chat platforms, and its language model. */
export const chatSettings = {
  SLACK_CLIENT_ID: z.string().min(1).optional(),
  SLACK_CLIENT_SECRET: z.string().min(1).optional(),
  SLACK_SIGNING_SECRET: z.string().min(1).optional(),
  SLACK_API_URL: apiAddress.default("https://slack.com/api/"),
  DISCORD_APPLICATION_ID: z
    .string()
    .regex(/^\d{1,20}$/, "must be a number")
    .optional(),
  DISCORD_PUBLIC_KEY: z
    .string()
    .regex(/^[0-9a-f]{64}$/i, "must be 64 hexadecimal digits")
    .optional(),
  DISCORD_BOT_TOKEN: z.string().min(1).optional(),
  DISCORD_CLIENT_SECRET: z.string().min(1).optional(),
  DISCORD_API_URL: apiAddress.default("https://discord.com/api/v10/"),
  CHAT_MODEL_PROVIDER: z.enum(["anthropic", "openai-compatible"]).optional(),
  CHAT_MODEL: z.string().min(1).optional(),
  CHAT_MODEL_API_KEY: z.string().min(1).optional(),
  CHAT_MODEL_URL: address.optional(),
  CHAT_MODEL_TIMEOUT_MS: whole(100, 120_000).default(45_000),
  CHAT_MODEL_MAX_TOKENS: whole(1_000, 10_000_000).default(100_000),
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
] as const;
