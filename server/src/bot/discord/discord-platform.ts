import { z } from "zod";
import type { Config } from "#config";
import { ChatError } from "#core/chat";
import type { ChatInstallation, ChatPlatform } from "#core/chat";
import { commands } from "./commands.ts";
import { createDiscordCall } from "./discord-call.ts";
import { openDiscord } from "./discord-transport.ts";
import type { DiscordSettings } from "./discord-transport.ts";

type Settings = DiscordSettings & { clientSecret: string };

/** Discord, if the server has the settings of an application there. */
export function createDiscordPlatform(config: Config): ChatPlatform | undefined {
  const { DISCORD_API_URL: apiUrl, DISCORD_APPLICATION_ID: applicationId } = config;
  const { DISCORD_BOT_TOKEN: botToken, DISCORD_CLIENT_SECRET: clientSecret } = config;
  if (applicationId === undefined || botToken === undefined || clientSecret === undefined) {
    return undefined;
  }
  const settings = { apiUrl, applicationId, botToken, clientSecret };
  return {
    name: "discord",
    label: "Discord",
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

/** What the bot has to be allowed in a server. */
export const botScopes = ["bot", "applications.commands"];

/**
 * To see channels, to write there, to make threads and write in them, to attach files, to read what was said in
 * threads, and to show at a message that it was seen.
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

/** The grant says which server agreed; what the browser brought back beside the code is not believed. */
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
  if (!parsed.success) throw new ChatError("refused", "redeem a code: no server");
  const { scope, guild } = parsed.data;
  const botUserId = await moveIn({ apiUrl, applicationId, botToken }, guild.id);
  return {
    teamId: guild.id,
    teamName: guild.name === "" ? guild.id : guild.name,
    botUserId,
    scopes: scope.split(" ").filter((one) => one !== ""),
    // The bot has one token for all servers, which is a setting; of a server there is nothing to keep.
    secret: "",
  };
}

const user = z.object({ id });

/** Makes sure that the bot is there, gives the server its commands and answers who the bot is. */
async function moveIn(
  { apiUrl, applicationId, botToken }: DiscordSettings,
  guildId: string,
): Promise<string> {
  const call = createDiscordCall(apiUrl, `Bot ${botToken}`);
  await call({ label: "look at the server", method: "GET", path: `guilds/${guildId}` });
  const path = `applications/${applicationId}/guilds/${guildId}/commands`;
  // An array is an object to JSON; it replaces all that were there.
  await call({ label: "register the commands", method: "PUT", path, body: commands });
  const me = await call({ label: "look at the bot", method: "GET", path: "users/@me" });
  return user.parse(me).id;
}
