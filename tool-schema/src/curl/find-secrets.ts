import type { CurlRequest } from "./curl-request.ts";
import { isPlaceholder, isSecretName, isWholeSecret } from "./secret-patterns.ts";

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
  const taken = new Set<string>();
  return [
    ...ofUser(request),
    ...ofHeaders(request),
    ...ofCookies(request),
    ...ofPath(request),
    ...request.query.flatMap(({ name, value }) => ofField("query", name, value)),
    ...ofBody(request),
  ]
    .filter((secret, at, all) => all.findIndex(({ id }) => id === secret.id) === at)
    .map(({ suffix, ...secret }) => ({
      ...secret,
      credential: uniqueName(suffix.startsWith(`${stem}_`) ? suffix : `${stem}_${suffix}`, taken),
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
    return ofField("header", name, value);
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

function ofField(place: SecretPlace, name: string, value: string): Found[] {
  // In a body, "key" is often the name of something.
  const isNamed = isSecretName(name) && !(place === "body" && name.toLowerCase() === "key");
  if (!isNamed && !isWholeSecret(value)) return [];
  return [found(place, name, value, { suffix: suffixOf(name) })];
}

function suffixOf(name: string): string {
  if (/pass|pwd/i.test(name)) return "PASSWORD";
  if (/secret/i.test(name)) return "SECRET";
  return /key/i.test(name) ? "API_KEY" : "TOKEN";
}

/** URLs that are secrets themselves: of Telegram bots, and of webhooks of Slack and Discord. */
const secretPaths: readonly { host: RegExp; segment: RegExp }[] = [
  { host: /^api\.telegram\.org$/, segment: /^(bot)(\d+:[\w-]{20,}|[^/]*TOKEN[^/]*)$/i },
  { host: /^hooks\.slack\.com$/, segment: /^()([A-Za-z0-9]{20,})$/ },
  { host: /(?:^|\.)discord(?:app)?\.com$/, segment: /^()([\w-]{50,})$/ },
];

/** The segments of a path, decoded. */
export function segmentsOf(url: string): string[] {
  return new URL(url).pathname.split("/").map((segment) => {
    try {
      return decodeURIComponent(segment);
    } catch {
      return segment;
    }
  });
}

/** What of a segment of a path is a secret, with the text before it. */
export function secretInSegment(
  hostname: string,
  text: string,
): { prefix: string; value: string } | undefined {
  const known = secretPaths.find(({ host }) => host.test(hostname));
  const [, prefix = "", value] = known?.segment.exec(text) ?? [];
  if (value !== undefined) return { prefix, value };
  return isWholeSecret(text) ? { prefix: "", value: text } : undefined;
}

function ofPath({ url }: CurlRequest): Found[] {
  const { hostname } = new URL(url);
  return segmentsOf(url).flatMap((text, at) => {
    const secret = secretInSegment(hostname, text);
    if (secret === undefined) return [];
    return [found("path", `segment${at}`, secret.value, { prefix: secret.prefix })];
  });
}

function ofBody({ body }: CurlRequest): Found[] {
  if (body.kind === "form") {
    return body.fields.flatMap(({ name, value }) => ofField("body", name, value));
  }
  if (body.kind === "multipart") {
    return body.parts.flatMap((part) =>
      "value" in part ? ofField("body", part.name, part.value) : [],
    );
  }
  if (body.kind !== "json" || typeof body.value !== "object" || body.value === null) return [];
  if (Array.isArray(body.value)) return [];
  return Object.entries(body.value).flatMap(([name, value]) =>
    typeof value === "string" ? ofField("body", name, value) : [],
  );
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

function uniqueName(name: string, taken: Set<string>): string {
  let unique = name;
  for (let number = 2; taken.has(unique); number += 1) unique = `${name}_${number}`;
  taken.add(unique);
  return unique;
}
