import type { AuthorizationServer } from "oauth4webapi";
import type { ConnectionSettings } from "./connection.ts";

type AuthMethod = ConnectionSettings["authMethod"];

/** The methods that we know, the ones without a secret that could expire or leak first. */
export const authMethods = [
  "none",
  "client_secret_basic",
  "client_secret_post",
] as const satisfies readonly AuthMethod[];

/** Those of a provider. Without its metadata, the default of RFC 8414, section 2. */
export function supportedMethods(metadata: AuthorizationServer | undefined): AuthMethod[] {
  const supported = metadata?.token_endpoint_auth_methods_supported;
  const known = authMethods.filter(
    (method) => Array.isArray(supported) && supported.includes(method),
  );
  return known.length === 0 ? ["client_secret_basic"] : known;
}

/** How a client with or without a secret authenticates. */
export function chooseMethod(
  clientSecret: string | undefined,
  metadata: AuthorizationServer | undefined,
): AuthMethod {
  if (clientSecret === undefined) return "none";
  return supportedMethods(metadata).find((method) => method !== "none") ?? "client_secret_basic";
}
