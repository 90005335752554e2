import { z } from "zod";
import type { Config } from "#config";
import { ServiceError } from "#core/kernel";
import { ChatError } from "#core/chat";
import type { ChatInstallation, ConfiguredPlatform, KnownPlatform } from "#core/chat";
import { createMattermostCall } from "./mattermost-call.ts";
import { id } from "./mattermost-post.ts";
import { openMattermost } from "./mattermost-transport.ts";
import type { MattermostSettings } from "./mattermost-transport.ts";

export const mattermost: KnownPlatform = {
  name: "mattermost",
  label: "Mattermost",
  capabilities: {
    emails: true,
    forms: false,
    files: true,
    feedback: false,
    history: true,
    directMessages: true,
    // By `pending_post_id`, for about 30 seconds.
    postsOnce: true,
  },
  configure: configureMattermost,
};

type Settings = MattermostSettings & { clientId: string; clientSecret: string };

function configureMattermost(config: Config): ConfiguredPlatform | undefined {
  const { MATTERMOST_URL: serverUrl, MATTERMOST_BOT_TOKEN: botToken, baseUrl } = config;
  const { MATTERMOST_CLIENT_ID: clientId, MATTERMOST_CLIENT_SECRET: clientSecret } = config;
  // Either all or none are set.
  if (!serverUrl || !botToken || !clientId || !clientSecret) return undefined;
  const settings = { serverUrl, botToken, baseUrl, clientId, clientSecret };
  return {
    installUrl: ({ state, redirectUri }) => {
      const url = new URL("oauth/authorize", `${serverUrl}/`);
      const asked = {
        response_type: "code",
        client_id: clientId,
        redirect_uri: redirectUri,
        state,
      };
      url.search = new URLSearchParams(asked).toString();
      return url.href;
    },
    redeem: (request) => redeem(settings, request),
    open: (team) => openMattermost(settings, team),
  };
}

/** The ID of the one server that this service is configured for. */
export function toTeamId(serverUrl: string): string {
  return new URL(serverUrl).host;
}

const token = z.object({ access_token: z.string().min(1) });
const me = z.object({ id, roles: z.string().default("") });

/** The bot is in all teams of a server, so only its system admins can connect it. */
async function redeem(
  { serverUrl, botToken, clientId, clientSecret }: Settings,
  { parameters, redirectUri }: { parameters: URLSearchParams; redirectUri: string },
): Promise<ChatInstallation> {
  const code = parameters.get("code") ?? "";
  if (code === "") throw new ChatError("refused", "Mattermost sent no code");
  const body = new URLSearchParams({
    grant_type: "authorization_code",
    client_id: clientId,
    client_secret: clientSecret,
    redirect_uri: redirectUri,
    code,
  });
  const granted = await createMattermostCall(serverUrl).json("POST oauth/access_token", body);
  const call = createMattermostCall(serverUrl, token.parse(granted).access_token);
  const { roles } = me.parse(await call.json("GET api/v4/users/me"));
  // The token is needed no longer.
  await call.json("POST api/v4/users/logout").catch(() => undefined);
  if (!roles.split(" ").includes("system_admin")) {
    throw new ServiceError("forbidden", "Only a system admin of Mattermost can connect it.");
  }
  const bot = me.parse(await createMattermostCall(serverUrl, botToken).json("GET api/v4/users/me"));
  const teamId = toTeamId(serverUrl);
  return { teamId, teamName: teamId, botUserId: bot.id, scopes: [], secret: "" };
}
