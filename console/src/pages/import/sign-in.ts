import type { ImportItem, ImportResource } from "@toolhost/contract";
import type { ApiRequest } from "@toolhost/contract/api";
import { nameForServer } from "../credentials/credential-form.ts";

/** How tools authenticate: with schemes of the document, or in another way. */
export type SignIn =
  | { way: "schemes"; names: readonly string[]; credentials: Readonly<Record<string, string[]>> }
  | { way: "none" }
  | { way: "bearer"; credential: string }
  | { way: "header" | "query"; name: string; credential: string }
  | { way: "basic"; user: string; password: string };

type Scheme = ImportResource["securitySchemes"][number];
type Security = ImportItem["security"];

/** Items that offer the same ways to authenticate. */
export type SignInGroup = { id: string; security: Security; items: readonly ImportItem[] };

export function groupBySecurity(items: readonly ImportItem[]): SignInGroup[] {
  const groups = Map.groupBy(items, ({ security }) => JSON.stringify(security));
  return [...groups].map(([id, grouped]) => ({
    id,
    items: grouped,
    security: grouped[0]?.security ?? [],
  }));
}

/** The OAuth scopes that items need together, by security scheme. */
export function scopesOf(items: readonly Pick<ImportItem, "scopes">[]): Record<string, string[]> {
  const scopes = new Map<string, Set<string>>();
  for (const [scheme, needed] of items.flatMap((item) => Object.entries(item.scopes))) {
    scopes.set(scheme, new Set([...(scopes.get(scheme) ?? []), ...needed]));
  }
  return Object.fromEntries([...scopes].map(([scheme, all]) => [scheme, [...all]]));
}

/** The credentials that choices name. */
export function credentialNamesOf(signIns: readonly SignIn[]): ReadonlySet<string> {
  return new Set(
    signIns.flatMap((signIn) => {
      switch (signIn.way) {
        case "none":
          return [];
        case "schemes":
          return Object.values(signIn.credentials).flat();
        case "basic":
          return [signIn.user, signIn.password];
        default:
          return [signIn.credential];
      }
    }),
  );
}

/** What tools use unless the user chooses: nothing where that is allowed, or the first alternative that is supported. */
export function defaultSignIn(security: Security, schemes: readonly Scheme[]): SignIn {
  const isSupported = (names: readonly string[]) =>
    names.every((name) => schemes.find((one) => one.name === name)?.kind !== "unsupported");
  if (isOptional(security)) return { way: "none" };
  return withSchemes(security.find(isSupported) ?? security[0] ?? [], schemes);
}

function isOptional(security: Security): boolean {
  return security.length === 0 || security.some((names) => names.length === 0);
}

/** The choice of an alternative, with the default names of its credentials. */
export function withSchemes(names: readonly string[], schemes: readonly Scheme[]): SignIn {
  const credentials = schemes
    .filter(({ name, credentialNames }) => names.includes(name) && credentialNames.length > 0)
    .map(({ name, credentialNames }) => [name, credentialNames] as const);
  return { way: "schemes", names, credentials: Object.fromEntries(credentials) };
}

/** The choice of a way that the document does not declare, with names made from the address of the API. */
export function otherSignIn(
  way: Exclude<SignIn["way"], "schemes">,
  url: string | undefined,
): SignIn {
  const host = nameForServer(url ?? "");
  const stem = host === "" || host === "MCP_SERVER" ? "API" : host.slice(0, 50);
  switch (way) {
    case "none":
      return { way };
    case "bearer":
      return { way, credential: `${stem}_TOKEN` };
    case "basic":
      return { way, user: `${stem}_USER`, password: `${stem}_PASSWORD` };
    default:
      return { way, name: way === "header" ? "X-API-Key" : "api_key", credential: `${stem}_KEY` };
  }
}

type Body = ApiRequest<"POST /imports/{id}/tools">["body"];

/** What a request says about the choice. A default is left out, so that tools follow the document. */
export function signInBody(
  signIn: SignIn,
  security: Security,
): Pick<Body, "credentials" | "authentication"> {
  switch (signIn.way) {
    case "schemes":
      return { credentials: signIn.credentials };
    case "none":
      return isOptional(security) ? {} : { authentication: { kind: "none" } };
    case "bearer":
      return { authentication: { kind: "bearer", credential: signIn.credential } };
    case "basic": {
      const { user, password } = signIn;
      return {
        authentication: { kind: "basic", userCredential: user, passwordCredential: password },
      };
    }
    default: {
      const { way, name, credential } = signIn;
      return { authentication: { kind: "api_key", in: way, name: name.trim(), credential } };
    }
  }
}
