import { secretInSegment } from "@toolhost/tool-schema/curl";
import { isObject, own, textAt } from "@toolhost/tool-schema/json";
import type { Json, JsonObject } from "@toolhost/tool-schema/json";
import { listOf, replaceVariables, resolve, secretVariable, variablesIn } from "./values.ts";

/** The address of a request. */
export type RequestUrl = {
  /** With `{name}` for variables without a value; empty if the address has no host. */
  server: string;
  /** With `{name}` for what callers enter. */
  path: string;
  pathVariables: JsonObject[];
  query: JsonObject[];
  /** Whether it has a user name or a password, which are not copied. */
  hasUser: boolean;
};

const maxLength = 4_000;
/** Variables in a path that belong to the address, instead of being entered for each request. */
const fixedNames = /version|prefix|base|^v$|path/i;

/** The address of a request, of which only names and the values of variables of the collection are used. */
export function readUrl(
  value: Json | undefined,
  variables: ReadonlyMap<string, string>,
): RequestUrl | undefined {
  const url = isObject(value) ? value : {};
  const raw = typeof value === "string" ? value : (textAt(url, "raw") ?? join(url));
  const [address = "", ...queries] = (raw.split("#")[0] ?? "").trim().split("?");
  if (address === "" || raw.length > maxLength) return undefined;
  const [, scheme = "", authority = "", rest = ""] =
    /^(?:([a-z][a-z\d+.-]*):\/\/)?([^/]*)(.*)$/is.exec(address) ?? [];
  const host = authority.slice(authority.lastIndexOf("@") + 1);
  const server = toServer(scheme, host, variables);
  const path = omitSecrets(hostnameOf(server), rest)
    .split("/")
    .map((segment) => toSegment(segment, variables))
    .join("/");
  return {
    server: toNames(omitSecrets(hostnameOf(server), server)),
    path: path.startsWith("/") ? path : `/${path}`,
    pathVariables: listOf(own(url, "variable")),
    query: Array.isArray(own(url, "query"))
      ? listOf(own(url, "query"))
      : parseQuery(queries.join("?")),
    hasUser: authority.includes("@"),
  };
}

/** Format 2.0 has addresses without `raw`. */
function join(url: JsonObject): string {
  const [host, path] = [own(url, "host"), own(url, "path")].map((part) =>
    Array.isArray(part)
      ? part
          .map((one) => (isObject(one) ? textAt(one, "value") : one))
          .filter((one) => typeof one === "string")
      : [typeof part === "string" ? part : ""],
  );
  const protocol = textAt(url, "protocol");
  const start = protocol === undefined ? "" : `${protocol}://`;
  const port = textAt(url, "port");
  const end = port === undefined ? "" : `:${port}`;
  return `${start}${(host ?? []).join(".")}${end}/${(path ?? []).join("/")}`;
}

function toServer(scheme: string, host: string, variables: ReadonlyMap<string, string>): string {
  if (host === "") return "";
  const resolved = resolve(scheme === "" ? host : `${scheme}://${host}`, variables).trim();
  // A variable may have the value "http://host" behind a written scheme, and a user name or password.
  const plain = resolved.replace(/^[a-z]+:\/\/(?=[a-z]+:\/\/)/i, "").replace(/\/\/[^/@]*@/, "//");
  const isComplete = /^[a-z][a-z\d+.-]*:\/\//i.test(plain) || plain.startsWith("{{");
  const usual = /^(?:localhost|127\.|\[::1\])/.test(plain) ? "http" : "https";
  const url = isComplete ? plain : `${usual}://${plain}`;
  return toNames(url.split(/[?#]/)[0] ?? "").replace(/\/+$/, "");
}

function hostnameOf(server: string): string {
  return URL.canParse(server) ? new URL(server).hostname : "";
}

/** The segments of an address, in which secrets are variables: also those that only their host tells, as of webhooks. */
function omitSecrets(hostname: string, address: string): string {
  let count = 0;
  const segments = address.split("/").map((segment, at, all) => {
    const secret = secretInSegment(hostname, decode(segment), all[at - 1]);
    if (secret === undefined) return segment;
    count += 1;
    return `${secret.prefix}${secretVariable(count)}`;
  });
  return segments.join("/");
}

function toNames(text: string): string {
  return replaceVariables(text, (name) => `{${name}}`);
}

function toSegment(segment: string, variables: ReadonlyMap<string, string>): string {
  const named = segment.startsWith(":") ? `{{${segment.slice(1)}}}` : segment;
  const fixed = replaceVariables(named, (name) => {
    const value = fixedNames.test(name) ? variables.get(name) : undefined;
    return value === undefined || variablesIn(value).length > 0 ? `{{${name}}}` : value;
  });
  return toNames(fixed).replaceAll(/[\s\\]/g, encodeURIComponent);
}

function parseQuery(text: string): JsonObject[] {
  return text
    .split("&")
    .filter((pair) => pair !== "")
    .map((pair) => {
      const [key = "", ...value] = pair.split("=");
      return { key: decode(key), value: decode(value.join("=")) };
    });
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
