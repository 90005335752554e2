import type { CredentialOwner } from "@toolhost/contract";
import type { ApiRequest } from "@toolhost/contract/api";

type CreateCredentialBody = ApiRequest<"POST /credentials">["body"];

/** The fields of the form. */
export type CredentialForm = {
  name: string;
  owner: CredentialOwner;
  /** `server` is a connection of which only the URL of the server is known. */
  kind: "value" | "server" | "oauth2";
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

/** The body of `POST /credentials`. Leaves out empty fields; the service validates the others. */
export function createInput(form: CredentialForm): CreateCredentialBody {
  const { name, owner, kind, value, exposable } = form;
  const exposure = exposable ? { exposable } : {};
  const common = { name: name.trim(), owner, ...exposure };
  // The service sends the token to the server's host only.
  if (kind === "server") return { ...common, oauth2: serverInput(form) };
  const hosts = parseHosts(form.hosts);
  return kind === "value"
    ? { ...common, hosts, value }
    : { ...common, hosts, oauth2: connectionInput(form) };
}

/** A name for the credential of a server, from its host: `LINEAR` for `https://mcp.linear.app/mcp`. */
export function nameForServer(url: string): string {
  const host = URL.parse(url.trim())?.hostname ?? "";
  const labels = host.split(".").filter((label) => !/^(?:www|mcp|api)$/.test(label));
  const isAddress = /^[\d.]+$/.test(host) || host.includes(":") || host === "localhost";
  const words = isAddress ? [] : labels.slice(0, Math.max(1, labels.length - 1));
  const name = words
    .join("_")
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, "_");
  if (host === "") return "";
  return /^[A-Z]/.test(name) ? name.slice(0, 64) : "MCP_SERVER";
}

/** The form with another server. Its name follows until the user types one. */
export function withServer(form: CredentialForm, resource: string): Partial<CredentialForm> {
  const isSuggested = form.name === "" || form.name === nameForServer(form.resource);
  return { resource, ...(isSuggested ? { name: nameForServer(resource) } : {}) };
}

/** The body of `PUT /credentials/:name`. */
export function replaceInput({
  value,
  hosts,
  exposable,
}: CredentialForm): ApiRequest<"PUT /credentials/{name}">["body"] {
  return { value, hosts: parseHosts(hosts), exposable };
}

function serverInput(form: CredentialForm): CreateCredentialBody["oauth2"] {
  const { resource, clientId, clientSecret, scopes } = form;
  return {
    ...filledOf({ resource, clientId, clientSecret }),
    scopes: splitList(scopes),
  };
}

/** The texts that are not empty. */
function filledOf(texts: Readonly<Record<string, string>>): Record<string, string> {
  const filled = Object.entries(texts)
    .map(([name, text]) => [name, text.trim()] as const)
    .filter(([, text]) => text !== "");
  return Object.fromEntries(filled);
}

function connectionInput(form: CredentialForm): CreateCredentialBody["oauth2"] {
  const needsConsent = form.grantType === "authorization_code";
  const endpoints =
    form.endpoints === "issuer"
      ? { issuer: form.issuer }
      : {
          ...(needsConsent ? { authorizationUrl: form.authorizationUrl } : {}),
          tokenUrl: form.tokenUrl,
        };
  const texts = {
    ...endpoints,
    revocationUrl: form.endpoints === "issuer" ? "" : form.revocationUrl,
    clientSecret: form.clientSecret,
    audience: form.audience,
    resource: form.resource,
    tokenEndpointAuthMethod: form.authMethod === "automatic" ? "" : form.authMethod,
  };
  return {
    grantType: form.grantType,
    clientId: form.clientId.trim(),
    ...filledOf(texts),
    scopes: splitList(form.scopes),
    authorizationParameters: needsConsent ? parseParameters(form.parameters) : {},
  };
}

/** Hosts, also from pasted URLs. Keeps `http://`, because https is the default. */
function parseHosts(text: string): string[] {
  const hosts = splitList(text).map((word) => word.replace(/^https:\/\/([^/?#]+).*$/i, "$1"));
  return [...new Set(hosts.map((host) => host.toLowerCase()))];
}

/** Splits at spaces, commas and line breaks. */
function splitList(text: string): string[] {
  return [...new Set(text.split(/[\s,]+/).filter((word) => word !== ""))];
}

/** Parses one `name=value` per line. */
function parseParameters(text: string): Record<string, string> {
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
