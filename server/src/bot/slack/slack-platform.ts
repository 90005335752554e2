import { z } from "zod";
import type { Config } from "#config";
import { ChatError } from "#core/chat";
import type { ChatInstallation, ConfiguredPlatform, KnownPlatform } from "#core/chat";
import { botScopes } from "./manifest.ts";
import { createSlackCall } from "./slack-call.ts";
import { createLimits, openSlack } from "./slack-transport.ts";

type Settings = { apiUrl: string; clientId: string; clientSecret: string };

export const slack: KnownPlatform = {
  name: "slack",
  label: "Slack",
  capabilities: {
    emails: true,
    forms: true,
    files: true,
    feedback: true,
    history: true,
    directMessages: true,
    postsOnce: false,
  },
  configure: configureSlack,
};

function configureSlack(config: Config): ConfiguredPlatform | undefined {
  const { SLACK_API_URL: apiUrl, SLACK_CLIENT_ID: clientId } = config;
  const { SLACK_CLIENT_SECRET: clientSecret } = config;
  if (clientId === undefined || clientSecret === undefined) return undefined;
  const settings = { apiUrl, clientId, clientSecret };
  const limits = createLimits();
  return {
    scopes: botScopes,
    installUrl: ({ state, redirectUri }) => {
      const url = new URL("../oauth/v2/authorize", apiUrl);
      const asked = {
        client_id: clientId,
        scope: botScopes.join(","),
        redirect_uri: redirectUri,
        state,
      };
      url.search = new URLSearchParams(asked).toString();
      return url.href;
    },
    redeem: (request) => redeem(settings, request),
    open: (team, hint) => openSlack(apiUrl, team, limits, hint),
  };
}

const id = z.string().min(1).max(100);

const access = z.object({
  access_token: z.string().min(1).max(1_000),
  token_type: z.literal("bot"),
  bot_user_id: id,
  scope: z.string(),
  team: z.object({ id, name: z.string().default("") }),
  is_enterprise_install: z.literal(false).optional(),
});

async function redeem(
  { apiUrl, clientId, clientSecret }: Settings,
  { parameters, redirectUri }: { parameters: URLSearchParams; redirectUri: string },
): Promise<ChatInstallation> {
  const code = parameters.get("code") ?? "";
  if (code === "") throw new ChatError("refused", "Slack sent no code");
  const answer = await createSlackCall(apiUrl)("oauth.v2.access", {
    client_id: clientId,
    client_secret: clientSecret,
    code,
    redirect_uri: redirectUri,
  });
  const parsed = access.safeParse(answer);
  // The token of an organization-wide install covers teams that did not agree to it.
  if (!parsed.success) throw new ChatError("refused", "oauth.v2.access: not a team's bot token");
  const { access_token: secret, bot_user_id: botUserId, scope, team } = parsed.data;
  return {
    teamId: team.id,
    teamName: team.name === "" ? team.id : team.name,
    botUserId,
    scopes: scope.split(",").filter((one) => one !== ""),
    secret,
  };
}
