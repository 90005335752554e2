import type { IdentityContext } from "#core/identity";

export type OAuthClientContext = IdentityContext;
