import { z } from "zod";
import type { Config } from "#config";
import { ChatError } from "#core/chat";
import type { ChatInstallation, ConfiguredPlatform, KnownPlatform } from "#core/chat";
import { commands } from "./commands.ts";
import { createDiscordCall } from "./discord-call.ts";
import { openDiscord } from "./discord-transport.ts";
import type { DiscordSettings } from "./discord-transport.ts";

type Settings = DiscordSettings & { clientSecret: string };

export const discord: KnownPlatform = {
  name: "discord",
  label: "Discord",
  capabilities: {
    emails: false,
    forms: true,
    files: true,
    feedback: false,
    history: true,
    directMessages: false,
    // By the nonce of a message, and a command is answered by an edit.
    postsOnce: true,
  },
  configure: configureDiscord,
};

function configureDiscord(config: Config): ConfiguredPlatform | undefined {
  const { DISCORD_API_URL: apiUrl, DISCORD_APPLICATION_ID: applicationId } = config;
  const { DISCORD_BOT_TOKEN: botToken, DISCORD_CLIENT_SECRET: clientSecret } = config;
  if (applicationId === undefined || botToken === undefined || clientSecret === undefined) {
    return undefined;
  }
  const settings = { apiUrl, applicationId, botToken, clientSecret };
  return {
    installUrl: ({ state, redirectUri }) => {
      const url = new URL("../../oauth2/authorize", apiUrl);
      const asked = {
        client_id: applicationId,
        response_type: "code",
        scope: botScopes.join(" "),
        permissions: String(botPermissions),
        redirect_uri: redirectUri,
        state,
      };
      url.search = new URLSearchParams(asked).toString();
      return url.href;
    },
    redeem: (request) => redeem(settings, request),
    open: (team, hint) => openDiscord(settings, team, hint),
  };
}

/** The OAuth scopes of the bot. */
export const botScopes = ["bot", "applications.commands"];

/**
 * View channels, send messages, create public threads, send messages in threads, attach files, read message history,
 * add reactions.
 */
export const botPermissions = [10n, 11n, 35n, 38n, 15n, 16n, 6n].reduce(
  (sum, bit) => sum | (1n << bit),
  0n,
);

const id = z.string().regex(/^\d{1,20}$/);
const grant = z.object({
  scope: z.string().default(""),
  guild: z.object({ id, name: z.string().default("") }),
});

/** The token response names the server; the `guild_id` parameter of the browser is not trusted. */
async function redeem(
  { apiUrl, applicationId, botToken, clientSecret }: Settings,
  { parameters, redirectUri }: { parameters: URLSearchParams; redirectUri: string },
): Promise<ChatInstallation> {
  const code = parameters.get("code") ?? "";
  if (code === "") throw new ChatError("refused", "Discord sent no code");
  const credentials = Buffer.from(`${applicationId}:${clientSecret}`).toString("base64");
  const answer = await createDiscordCall(
    apiUrl,
    `Basic ${credentials}`,
  )({
    label: "redeem a code",
    method: "POST",
    path: "oauth2/token",
    form: new URLSearchParams({
      grant_type: "authorization_code",
      code,
      redirect_uri: redirectUri,
    }),
  });
  const parsed = grant.safeParse(answer);
  if (!parsed.success) throw new ChatError("refused", "redeem a code: no server in the response");
  const { scope, guild } = parsed.data;
  const botUserId = await setUpServer({ apiUrl, applicationId, botToken }, guild.id);
  return {
    teamId: guild.id,
    teamName: guild.name === "" ? guild.id : guild.name,
    botUserId,
    scopes: scope.split(" ").filter((one) => one !== ""),
    // All servers share the bot token of the configuration.
    secret: "",
  };
}

const user = z.object({ id });

/** Checks that the bot is in the server, registers the commands, and returns the user ID of the bot. */
async function setUpServer(
  { apiUrl, applicationId, botToken }: DiscordSettings,
  guildId: string,
): Promise<string> {
  const call = createDiscordCall(apiUrl, `Bot ${botToken}`);
  await call({ label: "get the server", method: "GET", path: `guilds/${guildId}` });
  const path = `applications/${applicationId}/guilds/${guildId}/commands`;
  // Replaces all registered commands.
  await call({ label: "register the commands", method: "PUT", path, body: commands });
  const me = await call({ label: "get the bot user", method: "GET", path: "users/@me" });
  return user.parse(me).id;
}
