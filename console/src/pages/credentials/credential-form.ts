import type { CredentialOwner } from "@toolhost/contract";

/** What is being filled in, as texts. */
export type CredentialForm = {
  name: string;
  owner: CredentialOwner;
  kind: "value" | "oauth2";
  value: string;
  hosts: string;
  exposable: boolean;
  grantType: "authorization_code" | "client_credentials";
  endpoints: "issuer" | "addresses";
  issuer: string;
  authorizationUrl: string;
  tokenUrl: string;
  revocationUrl: string;
  clientId: string;
  clientSecret: string;
  scopes: string;
  audience: string;
  resource: string;
  authMethod: "automatic" | "client_secret_basic" | "client_secret_post" | "none";
  parameters: string;
};

export const emptyForm: CredentialForm = {
  name: "",
  owner: "user",
  kind: "value",
  value: "",
  hosts: "",
  exposable: false,
  grantType: "authorization_code",
  endpoints: "issuer",
  issuer: "",
  authorizationUrl: "",
  tokenUrl: "",
  revocationUrl: "",
  clientId: "",
  clientSecret: "",
  scopes: "",
  audience: "",
  resource: "",
  authMethod: "automatic",
  parameters: "",
};

/** The body of `POST /credentials` for what was filled in. What was left empty is left out; the service checks the rest. */
export function createInput(form: CredentialForm): object {
  const { name, owner, kind, value, exposable } = form;
  const exposed = exposable ? { exposable } : {};
  const common = { name: name.trim(), owner, hosts: hostsOf(form.hosts), ...exposed };
  return kind === "value" ? { ...common, value } : { ...common, oauth2: connectionOf(form) };
}

/** The body of `PUT /credentials/:name` for what was filled in. */
export function replaceInput({ value, hosts, exposable }: CredentialForm): object {
  return { value, hosts: hostsOf(hosts), exposable };
}

function connectionOf(form: CredentialForm): object {
  const isByPerson = form.grantType === "authorization_code";
  const addresses =
    form.endpoints === "issuer"
      ? { issuer: form.issuer }
      : {
          ...(isByPerson ? { authorizationUrl: form.authorizationUrl } : {}),
          tokenUrl: form.tokenUrl,
        };
  const texts = {
    ...addresses,
    revocationUrl: form.endpoints === "issuer" ? "" : form.revocationUrl,
    clientSecret: form.clientSecret,
    audience: form.audience,
    resource: form.resource,
    tokenEndpointAuthMethod: form.authMethod === "automatic" ? "" : form.authMethod,
  };
  const given = Object.entries(texts)
    .map(([name, text]) => [name, text.trim()] as const)
    .filter(([, text]) => text !== "");
  return {
    grantType: form.grantType,
    clientId: form.clientId.trim(),
    ...Object.fromEntries(given),
    scopes: listOf(form.scopes),
    authorizationParameters: isByPerson ? parametersOf(form.parameters) : {},
  };
}

/** Hosts, also of whoever pastes an address; http is no default and stays. */
function hostsOf(text: string): string[] {
  const hosts = listOf(text).map((word) => word.replace(/^https:\/\/([^/?#]+).*$/i, "$1"));
  return [...new Set(hosts.map((host) => host.toLowerCase()))];
}

/** Words between spaces, commas or lines. */
function listOf(text: string): string[] {
  return [...new Set(text.split(/[\s,]+/).filter((word) => word !== ""))];
}

/** One `name=value` a line. */
function parametersOf(text: string): Record<string, string> {
  const lines = text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  return Object.fromEntries(
    lines.map((line) => {
      const [name = "", ...rest] = line.split("=");
      return [name.trim(), rest.join("=").trim()];
    }),
  );
}
