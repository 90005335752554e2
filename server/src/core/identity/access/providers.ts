import type { Config } from "#config";

/** A sign-in provider, with the name for buttons. */
export type Provider = { id: string; name: string };

/** The ID of the OpenID Connect provider in URLs and rows. */
export const oidcId = "oidc";

/** The configured providers. */
export function listProviders(config: Config): Provider[] {
  return [
    ...(config.GOOGLE_CLIENT_ID === undefined ? [] : [{ id: "google", name: "Google" }]),
    ...(config.GITHUB_CLIENT_ID === undefined ? [] : [{ id: "github", name: "GitHub" }]),
    ...(config.OIDC_CLIENT_ID === undefined ? [] : [{ id: oidcId, name: config.OIDC_NAME }]),
  ];
}

/** The configured providers as options of the sign-in library. */
export function providerOptions(config: Config) {
  const { GOOGLE_CLIENT_ID, GOOGLE_CLIENT_SECRET, GITHUB_CLIENT_ID, GITHUB_CLIENT_SECRET } = config;
  return {
    ...(GOOGLE_CLIENT_ID !== undefined && GOOGLE_CLIENT_SECRET !== undefined
      ? { google: { clientId: GOOGLE_CLIENT_ID, clientSecret: GOOGLE_CLIENT_SECRET } }
      : {}),
    ...(GITHUB_CLIENT_ID !== undefined && GITHUB_CLIENT_SECRET !== undefined
      ? { github: { clientId: GITHUB_CLIENT_ID, clientSecret: GITHUB_CLIENT_SECRET } }
      : {}),
  };
}

/** Whether the configured OpenID Connect provider is missing, because its issuer did not respond. */
export function lacksOidc(config: Config, found: readonly { id: string }[]): boolean {
  return config.OIDC_CLIENT_ID !== undefined && !found.some(({ id }) => id === oidcId);
}
