import { z } from "zod";
import type { Config } from "#config";
import { ServiceError } from "#core/kernel";
import { ChatError } from "#core/chat";
import type { ChatInstallation, ConfiguredPlatform, KnownPlatform } from "#core/chat";
import { createTokenSource, requestTokens } from "./entra.ts";
import { messages } from "./messages.ts";
import { botUserIdOf, readTeamsSettings } from "./teams-settings.ts";
import type { TeamsSettings } from "./teams-settings.ts";
import { openTeams } from "./teams-transport.ts";
import { createTokenVerifier } from "./verify-token.ts";
import type { TokenVerifier } from "./verify-token.ts";

export const teams: KnownPlatform = {
  name: "teams",
  label: "Microsoft Teams",
  capabilities: {
    emails: true,
    forms: true,
    // Only chats with one person can show files, after that person agreed.
    files: false,
    feedback: false,
    history: false,
    directMessages: true,
    postsOnce: false,
  },
  configure: configureTeams,
};

const scope = "openid profile";

function configureTeams(config: Config): ConfiguredPlatform | undefined {
  const settings = readTeamsSettings(config);
  if (settings === undefined) return undefined;
  const tokens = createTokenSource(settings);
  const verifier = createTokenVerifier(settings);
  return {
    installUrl: ({ state, redirectUri }) => {
      const url = new URL(`${settings.tenantId}/oauth2/v2.0/authorize`, settings.loginUrl);
      const asked = {
        response_type: "code",
        response_mode: "query",
        client_id: settings.appId,
        redirect_uri: redirectUri,
        scope,
        state,
      };
      url.search = new URLSearchParams(asked).toString();
      return url.href;
    },
    redeem: (request) => redeem(settings, verifier, request),
    open: (team, hint) => openTeams(settings, tokens, team, hint),
  };
}

/** The directory roles that manage Teams: Global Administrator and Teams Administrator. */
const adminRoles = new Set([
  "62e90394-69f5-4237-9190-012177145e10",
  "69091246-20e8-4a56-aa4d-066075b2a7a8",
]);

const person = z.object({
  tid: z.string(),
  wids: z.array(z.string()).default([]),
  preferred_username: z.string().default(""),
});

/** The bot is for all people of a tenant, so only its admins can connect it. */
async function redeem(
  settings: TeamsSettings,
  verifier: TokenVerifier,
  { parameters, redirectUri }: { parameters: URLSearchParams; redirectUri: string },
): Promise<ChatInstallation> {
  const code = parameters.get("code") ?? "";
  if (code === "") throw new ChatError("refused", "Microsoft sent no code");
  const grant = { grant_type: "authorization_code", code, redirect_uri: redirectUri, scope };
  const { id_token: idToken = "" } = await requestTokens(settings, grant);
  const {
    tid,
    wids,
    preferred_username: name,
  } = person.parse(await verifier.verifyPerson(idToken));
  const { tenantId: teamId } = settings;
  if (tid.toLowerCase() !== teamId || !wids.some((role) => adminRoles.has(role))) {
    throw new ServiceError("forbidden", messages.adminsOnly);
  }
  const teamName = name.split("@")[1] || teamId;
  return { teamId, teamName, botUserId: botUserIdOf(settings), scopes: [], secret: "" };
}
