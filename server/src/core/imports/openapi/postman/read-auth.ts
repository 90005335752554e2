import { isObject, own } from "@toolhost/tool-schema/json";
import type { Json, JsonObject } from "@toolhost/tool-schema/json";
import { hasSecret, listOf, resolve, variablesIn } from "./values.ts";

/** The security schemes of a collection, by name. Only where a value is sent is copied, never the value. */
export type Schemes = {
  /** Registers a scheme and returns its name. */
  add(name: string, scheme: JsonObject): string;
  all(): JsonObject;
};

/** What requests share while a collection is read. */
export type CollectionParts = { schemes: Schemes; variables: ReadonlyMap<string, string> };

export function createSchemes(): Schemes {
  const names = new Map<string, string>();
  const schemes = new Map<string, JsonObject>();
  return {
    add(name, scheme) {
      const key = JSON.stringify(scheme);
      const known = names.get(key);
      if (known !== undefined) return known;
      let free = name;
      for (let count = 2; schemes.has(free); count += 1) free = `${name}${count}`;
      names.set(key, free);
      schemes.set(free, scheme);
      return free;
    },
    all: () => Object.fromEntries(schemes),
  };
}

/** The scheme of `auth`; undefined for `noauth` and for what has none. */
export function readAuth(
  auth: JsonObject,
  schemes: Schemes,
  variables: ReadonlyMap<string, string>,
): string | undefined {
  const type = own(auth, "type");
  if (typeof type !== "string" || type === "noauth") return undefined;
  const text = attributesOf(own(auth, type), variables);
  if (type === "basic") return schemes.add("basic", { type: "http", scheme: "basic" });
  if (type === "bearer" || type === "jwt") {
    return schemes.add("bearer", { type: "http", scheme: "bearer" });
  }
  if (type === "apikey") {
    const place = text("in") === "query" ? "query" : "header";
    return addKey(schemes, place, text("key") || "Authorization");
  }
  if (type === "oauth2") return schemes.add("oauth2", { type: "oauth2", flows: flowsOf(text) });
  return schemes.add(type.slice(0, 40), { type: "http", scheme: type.slice(0, 40) });
}

/** Attributes are a list in format 2.1 and an object in 2.0. Values that contain unknown variables are empty. */
function attributesOf(value: Json | undefined, variables: ReadonlyMap<string, string>) {
  const entries = isObject(value)
    ? Object.entries(value)
    : listOf(value).map((one): [Json | undefined, Json | undefined] => [
        own(one, "key"),
        own(one, "value"),
      ]);
  const found = new Map(entries);
  return (name: string): string => {
    const written = found.get(name);
    const text = typeof written === "string" ? resolve(written, variables) : "";
    return variablesIn(text).length > 0 ? "" : text;
  };
}

function flowsOf(text: (name: string) => string): JsonObject {
  const scopes = text("scope")
    .split(/[\s,]+/)
    .filter((scope) => scope !== "");
  const tokenUrl = plainUrl(text("accessTokenUrl"));
  const common = {
    ...(tokenUrl === "" ? {} : { tokenUrl }),
    scopes: Object.fromEntries(scopes.map((scope) => [scope, ""])),
  };
  if (text("grant_type") === "client_credentials") return { clientCredentials: common };
  const authorizationUrl = plainUrl(text("authUrl"));
  return {
    authorizationCode: { ...(authorizationUrl === "" ? {} : { authorizationUrl }), ...common },
  };
}

/** A URL without what may be a secret. */
function plainUrl(text: string): string {
  if (!URL.canParse(text)) return "";
  const { origin, pathname } = new URL(text);
  return origin === "null" ? "" : `${origin}${pathname}`;
}

/** A scheme for a header or a parameter that contains a secret. */
export function addKey(
  schemes: Schemes,
  place: "header" | "query",
  name: string,
  description = "",
): string {
  return schemes.add(name, { type: "apiKey", in: place, name, description });
}

/** The scheme of a header with a secret; undefined for another header. */
export function readHeaderSecret(
  { name, value }: { name: string; value: string },
  schemes: Schemes,
): string | undefined {
  if (name.toLowerCase() !== "authorization") {
    return hasSecret(name, value) ? addKey(schemes, "header", name) : undefined;
  }
  if (/^bearer\b/i.test(value)) return schemes.add("bearer", { type: "http", scheme: "bearer" });
  if (/^basic\b/i.test(value)) return schemes.add("basic", { type: "http", scheme: "basic" });
  const [, prefix] =
    /^(token|key|api-?key|ssws|geniekey|[\w-]{1,30}-(?:api|auth)-key)\s/i.exec(value) ?? [];
  const description = prefix === undefined ? "" : `Prefix "${prefix}".`;
  return addKey(schemes, "header", "Authorization", description);
}
