import type { Config } from "#config";

export type TeamsSettings = {
  appId: string;
  tenantId: string;
  clientSecret: string;
  baseUrl: string;
  /** Of the Bot Connector, with a trailing slash. The token is sent to this origin only. */
  serviceUrl: string;
  /** Of Microsoft Entra ID, with a trailing slash. */
  loginUrl: string;
  /** The OpenID metadata of the Bot Connector. */
  openIdUrl: string;
};

/** Undefined on a server that is not configured for Teams. */
export function readTeamsSettings(config: Config): TeamsSettings | undefined {
  const { TEAMS_APP_ID: appId, TEAMS_TENANT_ID: tenantId, baseUrl } = config;
  const { TEAMS_CLIENT_SECRET: clientSecret } = config;
  // Either all or none are set.
  if (!appId || !tenantId || !clientSecret) return undefined;
  return {
    appId: appId.toLowerCase(),
    tenantId: tenantId.toLowerCase(),
    clientSecret,
    baseUrl,
    serviceUrl: config.TEAMS_SERVICE_URL,
    loginUrl: config.TEAMS_LOGIN_URL,
    openIdUrl: config.TEAMS_OPENID_URL,
  };
}

/** The bot's user ID in Teams. */
export function botUserIdOf({ appId }: Pick<TeamsSettings, "appId">): string {
  return `28:${appId}`;
}

/** Whether a URL may receive the bot's token. */
export function isServiceUrl({ serviceUrl }: TeamsSettings, given: string): boolean {
  const url = URL.parse(given);
  return url !== null && url.username === "" && url.origin === new URL(serviceUrl).origin;
}
