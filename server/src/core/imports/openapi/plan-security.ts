import { isObject, objectsAt, own, textAt } from "@toolhost/tool-schema/json";
import type { Json, JsonObject } from "@toolhost/tool-schema/json";
import { objectAt } from "./open-document.ts";
import type { OpenDocument } from "./open-document.ts";
import { maxUrlLength } from "./plan-servers.ts";
import { toCredentialName, toLine } from "./text.ts";
import type { ConnectionPrefill, SecurityScheme } from "./types.ts";

const maxSchemes = 50;
const maxAlternatives = 20;
const maxScopes = 100;
const maxScopeLength = 200;
const maxNameLength = 200;

/** The document's security schemes, each with names for its credentials that no other scheme has. */
export function listSecuritySchemes(document: OpenDocument): SecurityScheme[] {
  const declared = Object.entries(document.securitySchemes())
    .filter(([name]) => name.length <= maxNameLength)
    .slice(0, maxSchemes);
  const stem = stemOf(document);
  const described = declared.flatMap(([name, written]) => {
    const scheme = document.follow(written);
    return isObject(scheme) ? [describeScheme(name, scheme)] : [];
  });
  const kinds = described.map(({ kind }) => suffixes[kind].join());
  return described.map((about) => {
    const { name } = about;
    const credentialNames = suffixes[about.kind].map((suffix) => {
      const plain = `${stem}_${suffix}`;
      return isAlone(about.kind, kinds) ? plain : withName(stem, name, suffix);
    });
    return { ...about, credentialNames };
  });
}

/** Whether no other scheme has credentials of these names. */
function isAlone(kind: SecurityScheme["kind"], kinds: readonly string[]): boolean {
  return kinds.filter((other) => other === suffixes[kind].join()).length === 1;
}

/** The API's name and the scheme's, such as `PLAID_CLIENT_ID`. */
function withName(stem: string, name: string, suffix: string): string {
  const base = toCredentialName(splitWords(name));
  const start = base === stem || base.startsWith(`${stem}_`) ? base : `${stem}_${base}`;
  const isComplete =
    suffix !== "USER" && suffix !== "PASSWORD" && /_(?:KEY|TOKEN|SECRET|ID)$/.test(start);
  return isComplete ? start : `${start.slice(0, 50).replace(/_+$/, "")}_${suffix}`;
}

function splitWords(name: string): string {
  return name.replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2");
}

const suffixes: Readonly<Record<SecurityScheme["kind"], readonly string[]>> = {
  api_key: ["API_KEY"],
  bearer: ["TOKEN"],
  oauth2: ["TOKEN"],
  basic: ["USER", "PASSWORD"],
  unsupported: [],
};

/** The API's name, without words that all APIs have. */
function stemOf({ root }: OpenDocument): string {
  const title = textAt(objectAt(root, "info"), "title") ?? "";
  const words = title
    .slice(0, 100)
    .replaceAll(/['’]s\b|\([^)]*\)/g, "")
    .split(/[\s/]+/)
    .filter(
      (word) =>
        !/^(?:the|rest|web|http|openapi|spec|official|public|api|apis|v?\d[\d.]*|[^a-z0-9]*)$/i.test(
          word,
        ),
    );
  const stem = toCredentialName(words.slice(0, 2).join("_"));
  return stem === "" ? "API" : stem;
}

function describeScheme(name: string, scheme: JsonObject): Omit<SecurityScheme, "credentialNames"> {
  const description = toLine(textAt(scheme, "description"), 300);
  const base = { name, description };
  const type = textAt(scheme, "type");
  if (type === "apiKey") {
    const place = (["header", "query", "cookie"] as const).find((one) => one === own(scheme, "in"));
    const key = textAt(scheme, "name") ?? "";
    // A name with other characters cannot be a header's, and would end a cookie's.
    const isValid = place === "query" ? key !== "" : /^[\w!#$%&'*+.^`|~-]+$/.test(key);
    if (place === undefined || !isValid || key.length > maxNameLength)
      return { ...base, kind: "unsupported" };
    const isWhole = place === "header" && key.toLowerCase() === "authorization";
    return {
      ...base,
      kind: "api_key",
      apiKey: { in: place, name: key },
      ...(isWhole ? prefixOf(`${name} ${description}`) : {}),
    };
  }
  if (type === "http") {
    const kind = (["basic", "bearer"] as const).find(
      (one) => one === textAt(scheme, "scheme")?.toLowerCase(),
    );
    return { ...base, kind: kind ?? "unsupported" };
  }
  if (type === "oauth2") return { ...base, kind: "oauth2", ...connectionOf(scheme) };
  if (type === "openIdConnect") {
    const url = urlAt(scheme, "openIdConnectUrl");
    if (url === undefined) return { ...base, kind: "oauth2" };
    const issuer = url.replace(/\/\.well-known\/openid-configuration$/, "");
    return {
      ...base,
      kind: "oauth2",
      connection: { grantType: "authorization_code", issuer, scopes: [] },
    };
  }
  return { ...base, kind: "unsupported" };
}

/** Words in front of a key in the `Authorization` header. */
const prefixWords =
  /(?:authorization"?\s*:|prefix(?:ed)?(?:\s+(?:with|of|by))?|["'`])\s*["'`]?(Token|Key|Api-?Key|Basic|SSWS|GenieKey|[\w-]{1,30}-(?:Api|Auth)-Key)\b/i;

/** The header is sent as it is, although most APIs expect a word in front of the key. */
function prefixOf(text: string): Pick<SecurityScheme, "prefix" | "hint"> {
  const prefix = /bearer/i.test(text) ? "Bearer" : prefixWords.exec(text)?.[1];
  const hint =
    prefix === undefined
      ? 'Enter the whole value of the "Authorization" header, with its prefix if the API has one, such as "Bearer ".'
      : `Enter the whole value of the "Authorization" header: "${prefix} ", then the key.`;
  return { ...(prefix === undefined ? {} : { prefix }), hint };
}

/** What a connection can use of the flows: consent in a browser if possible, otherwise the client's own credentials. */
function connectionOf(scheme: JsonObject): { connection?: ConnectionPrefill } {
  const flows = objectAt(scheme, "flows");
  const code = own(flows, "authorizationCode") ?? own(flows, "implicit");
  const flow = code ?? own(flows, "clientCredentials");
  if (!isObject(flow)) return {};
  const authorizationUrl = urlAt(flow, "authorizationUrl");
  const tokenUrl = urlAt(flow, "tokenUrl");
  const scopes = usableScopes(Object.keys(objectAt(flow, "scopes")));
  return {
    connection: {
      grantType: code === undefined ? "client_credentials" : "authorization_code",
      ...(authorizationUrl === undefined ? {} : { authorizationUrl }),
      ...(tokenUrl === undefined ? {} : { tokenUrl }),
      scopes,
    },
  };
}

function urlAt(holder: JsonObject, name: string): string | undefined {
  const url = textAt(holder, name);
  return url === undefined || url.length > maxUrlLength ? undefined : url;
}

/** Characters as in RFC 6749, section 3.3. */
function usableScopes(scopes: readonly string[]): string[] {
  return scopes
    .filter((scope) => scope.length <= maxScopeLength && /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(scope))
    .slice(0, maxScopes);
}

/** The alternatives by which an operation authenticates, each with schemes that are used together. */
export function alternativesOf(
  document: OpenDocument,
  operation: JsonObject,
  schemes: readonly SecurityScheme[],
): SecurityScheme[][] {
  const holder = Object.hasOwn(operation, "security") ? operation : document.root;
  const alternatives = objectsAt(holder, "security").flatMap((requirement) => {
    const names = Object.keys(requirement);
    const used = names.map((name) => schemes.find((scheme) => scheme.name === name));
    const known = used.flatMap((scheme) =>
      scheme === undefined ? [] : [withScopes(scheme, requirement[scheme.name])],
    );
    return known.length === names.length ? [known] : [];
  });
  const first = alternatives.slice(0, maxAlternatives);
  return [...first.filter(isSupported), ...first.filter((one) => !isSupported(one))];
}

/** Whether tools can send all schemes of an alternative. */
function isSupported(schemes: readonly SecurityScheme[]): boolean {
  return schemes.every(({ kind }) => kind !== "unsupported");
}

/** The scopes that the operation needs, instead of all. */
function withScopes(scheme: SecurityScheme, needed: Json | undefined): SecurityScheme {
  const named = Array.isArray(needed) ? needed.filter((scope) => typeof scope === "string") : [];
  const scopes = usableScopes(named);
  if (scheme.connection === undefined || scopes.length === 0) return scheme;
  return { ...scheme, connection: { ...scheme.connection, scopes } };
}
