import type { Config } from "#config";

/** A provider that people may sign in with, as buttons name it. */
export type Provider = { id: string; name: string };

/** What single sign-on by OpenID Connect is called in addresses and rows. */
export const oidcId = "oidc";

/** The providers that the settings name. */
export function listProviders(config: Config): Provider[] {
  return [
    ...(config.GOOGLE_CLIENT_ID === undefined ? [] : [{ id: "google", name: "Google" }]),
    ...(config.GITHUB_CLIENT_ID === undefined ? [] : [{ id: "github", name: "GitHub" }]),
    ...(config.OIDC_CLIENT_ID === undefined ? [] : [{ id: oidcId, name: config.OIDC_NAME }]),
  ];
}

/** The same as the sign-in library wants them. */
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

/** Whether a set of providers lacks the one that the settings name: its issuer did not answer. */
export function lacksOidc(config: Config, found: readonly { id: string }[]): boolean {
  return config.OIDC_CLIENT_ID !== undefined && !found.some(({ id }) => id === oidcId);
}
