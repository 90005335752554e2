import { isObject } from "../json.ts";
import { isPlaceholder, isSecretName, isWholeSecret, splitScheme } from "../secrets/index.ts";
import { createNamer } from "./create-namer.ts";
import type { CurlRequest, Pair, RequestBody } from "./curl-request.ts";
import { secretInSegment, segmentsOf } from "./secret-segments.ts";

/** Where a secret of the request is. A user and password are sent together in one header. */
type SecretPlace = "header" | "query" | "path" | "body" | "user" | "password";

/** A value of the request that must not become part of the tool. */
export type Secret = {
  id: string;
  place: SecretPlace;
  /** The name of the header, parameter or field; for a path its placeholder. */
  name: string;
  /** Text before the secret that is no part of it, such as `Bearer `. */
  prefix: string;
  /** Undefined if the command has a placeholder instead, such as `$TOKEN`. */
  value: string | undefined;
  /** The proposed name of its credential. */
  credential: string;
};

/** The secrets of a request, each with a name for its credential that no other has. */
export function findSecrets(request: CurlRequest): Secret[] {
  const stem = stemOf(request.url);
  const toUnique = createNamer("_");
  const all = [
    ...ofUser(request),
    ...ofHeaders(request),
    ...ofCookies(request),
    ...ofPath(request),
    ...request.query.flatMap((pair) => ofField("query", pair)),
    ...ofBody(request),
  ];
  // The first of several with the same ID.
  const byId = new Map(all.toReversed().map((secret) => [secret.id, secret]));
  return all
    .filter((secret) => byId.get(secret.id) === secret)
    .map(({ suffix, ...secret }) => ({
      ...secret,
      credential: toUnique(suffix.startsWith(`${stem}_`) ? suffix : `${stem}_${suffix}`),
    }));
}

type Found = Omit<Secret, "credential"> & { suffix: string };

function found(place: SecretPlace, name: string, value: string, rest: Partial<Found> = {}): Found {
  return {
    id: `${place}:${name}`,
    place,
    name,
    prefix: "",
    value: isPlaceholder(value) || value === "" ? undefined : value,
    suffix: "TOKEN",
    ...rest,
  };
}

/** An API key is often sent as the user name, without a password. */
function ofUser({ user }: CurlRequest): Found[] {
  if (user === undefined) return [];
  const { name, password } = user;
  const isKey = password === "" || /^x(?:-oauth-basic)?$/i.test(password);
  if (isKey) return [found("user", "authorization", name, { suffix: "API_KEY" })];
  // A credential has at least four characters.
  const isName = name.length >= 4 && !/^(?:api|token|user|apikey)$/i.test(name);
  return [
    ...(isName ? [found("user", "authorization", name, { suffix: "USER" })] : []),
    found("password", "authorization", password, { suffix: "PASSWORD" }),
  ];
}

function ofHeaders({ headers, user }: CurlRequest): Found[] {
  return headers.flatMap(({ name, value }) => {
    if (name === "proxy-authorization") return [];
    if (name === "authorization") return user === undefined ? [authorizationOf(value)] : [];
    return ofField("header", { name, value });
  });
}

function authorizationOf(value: string): Found {
  const [, prefix = "", rest = value] = /^([A-Za-z][\w-]*\s+)(\S[^]*)$/.exec(value) ?? [];
  return found("header", "authorization", rest, { prefix });
}

/** A session has many cookies, so they are one secret. */
function ofCookies({ cookies }: CurlRequest): Found[] {
  if (cookies.length === 0) return [];
  const value = cookies.map((cookie) => `${cookie.name}=${cookie.value}`).join("; ");
  return [found("header", "cookie", value, { suffix: "COOKIE" })];
}

function ofField(place: "header" | "query" | "body", { name, value }: Pair): Found[] {
  const scheme = splitScheme(value);
  // In a body, "key" is often the name of something.
  const isNamed = isSecretName(name) || (place !== "body" && name.toLowerCase() === "key");
  if (!isNamed && scheme === undefined && !isWholeSecret(value)) return [];
  const { prefix, secret } = scheme ?? { prefix: "", secret: value };
  return [found(place, name, secret, { prefix, suffix: suffixOf(name) })];
}

function suffixOf(name: string): string {
  if (/pass|pwd/i.test(name)) return "PASSWORD";
  if (/secret/i.test(name)) return "SECRET";
  return /key/i.test(name) ? "API_KEY" : "TOKEN";
}

function ofPath({ url }: CurlRequest): Found[] {
  const { hostname } = new URL(url);
  return segmentsOf(url).flatMap((text, at, all) => {
    const secret = secretInSegment(hostname, text, all[at - 1]);
    if (secret === undefined) return [];
    return [found("path", `segment${at}`, secret.value, { prefix: secret.prefix })];
  });
}

/** Numbers, lists and objects stay inputs, without their secrets: a credential is a text. */
function ofBody({ body }: CurlRequest): Found[] {
  const pairs = pairsOf(body);
  const isGrant = pairs.some(({ name }) => name === "grant_type");
  return pairs.flatMap((pair) =>
    isGrant && isGrantSecret(pair.name)
      ? [found("body", pair.name, pair.value)]
      : ofField("body", pair),
  );
}

function pairsOf(body: RequestBody): Pair[] {
  if (body.kind === "form") return body.fields;
  if (body.kind === "multipart")
    return body.parts.flatMap((part) => ("value" in part ? [part] : []));
  if (body.kind !== "json" || !isObject(body.value)) return [];
  return Object.entries(body.value).flatMap(([name, value]) =>
    typeof value === "string" ? [{ name, value }] : [],
  );
}

/** What a request for a token of OAuth contains beside values with names of secrets. */
function isGrantSecret(name: string): boolean {
  return /^(?:code|assertion|code_verifier|device_code|subject_token|actor_token)$/.test(name);
}

/** The host's name for credentials: `STRIPE` for `api.stripe.com`. */
function stemOf(url: string): string {
  const { hostname } = new URL(url);
  const isAddress = /^[\d.]+$/.test(hostname) || hostname.includes(":");
  const labels = hostname.split(".").filter((label) => !/^(?:www|api|rest|v\d+)$/.test(label));
  // Of `api.example.co.uk`, the name is `example`.
  const end = /^(?:co|com|org|net|ac|gov)$/.test(labels.at(-2) ?? "") ? -2 : -1;
  const name = labels.length > 1 ? (labels.slice(0, end).at(-1) ?? "") : (labels[0] ?? "");
  const stem = name
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]+/g, "_")
    .replace(/^[_\d]+/, "")
    .slice(0, 40);
  return isAddress || stem === "" ? "API" : stem;
}
