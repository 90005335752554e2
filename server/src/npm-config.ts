import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ConfigError } from "./config-error.ts";

/** Where npm packages are downloaded from, as configured in the operator's npm. */
export type NpmConfig = {
  /** The registry's URL, with a trailing slash. */
  registry: string;
  /** Registries of scopes such as `@acme`. */
  scopes: ReadonlyMap<string, string>;
  /** `Authorization` headers by URL prefix, without `https:`. */
  authorizations: Readonly<Record<string, string>>;
  httpProxy: string;
  httpsProxy: string;
  noProxy: string;
  /** Certificates in PEM to trust instead of the default ones. */
  ca: string | undefined;
  strictSsl: boolean;
};

type Environment = Readonly<Record<string, string | undefined>>;
type Settings = Map<string, string>;

const defaultRegistry = "https://registry.npmjs.org/";
const globalFiles = ["/etc/npmrc", "/usr/etc/npmrc", "/usr/local/etc/npmrc"];

/**
 * Reads the registry and network settings from `npm_config_…` variables, then the user's `.npmrc`, then the global one.
 * Throws `ConfigError` for an invalid registry URL.
 */
export function readNpmConfig(environment: Environment): NpmConfig {
  const fromEnvironment = readVariables(environment);
  const home = environment["HOME"];
  const userFile =
    fromEnvironment.get("userconfig") ?? (home === undefined ? undefined : join(home, ".npmrc"));
  const globalFile =
    fromEnvironment.get("globalconfig") ?? globalFiles.find((path) => existsSync(path));
  const settings: Settings = new Map([
    ...readFile(globalFile, environment),
    ...readFile(userFile, environment),
    ...fromEnvironment,
  ]);
  const caFile = settings.get("cafile");
  return {
    registry: address(settings.get("registry") ?? defaultRegistry),
    scopes: scopesIn(settings),
    authorizations: authorizationsIn(settings),
    httpProxy: settings.get("proxy") ?? variable(environment, "http_proxy"),
    httpsProxy: settings.get("https-proxy") ?? settings.get("proxy") ?? httpsProxyOf(environment),
    noProxy: settings.get("noproxy") ?? variable(environment, "no_proxy"),
    ca: caFile === undefined ? undefined : readFileSync(caFile, "utf8"),
    strictSsl: settings.get("strict-ssl") !== "false",
  };
}

function httpsProxyOf(environment: Environment): string {
  return variable(environment, "https_proxy") || variable(environment, "http_proxy");
}

function variable(environment: Environment, name: string): string {
  return environment[name] ?? environment[name.toUpperCase()] ?? "";
}

function readVariables(environment: Environment): Settings {
  const settings: Settings = new Map();
  for (const [name, value] of Object.entries(environment)) {
    const key = /^npm_config_(.+)$/i.exec(name)?.[1];
    if (key === undefined || value === undefined || value === "") continue;
    settings.set(key.startsWith("//") ? key : key.toLowerCase().replaceAll("_", "-"), value);
  }
  return settings;
}

function readFile(path: string | undefined, environment: Environment): Settings {
  const settings: Settings = new Map();
  if (path === undefined || !existsSync(path)) return settings;
  for (const line of readFileSync(path, "utf8").split("\n")) {
    const [, key, value] = /^\s*([^#;=\s][^=]*?)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
    if (key === undefined || value === undefined || value === "" || value === "null") continue;
    const plain = value.replace(/^(["'])(.*)\1$/, "$2");
    const filled = plain.replace(/\$\{([^}]+)\}/g, (whole, name: string) => {
      return environment[name] ?? whole;
    });
    settings.set(key, filled);
  }
  return settings;
}

function scopesIn(settings: Settings): Map<string, string> {
  const scopes = [...settings].flatMap(([key, value]) => {
    const scope = /^(@[^:/]+):registry$/.exec(key)?.[1];
    return scope === undefined ? [] : [[scope, address(value)] as const];
  });
  return new Map(scopes);
}

function authorizationsIn(settings: Settings): Record<string, string> {
  const found: Record<string, string> = {};
  for (const [key, value] of settings) {
    const [, location, kind] = /^(\/\/.+):(_authToken|_auth|username)$/.exec(key) ?? [];
    if (location === undefined) continue;
    const prefix = location.endsWith("/") ? location : `${location}/`;
    if (kind === "_authToken") found[prefix] = `Bearer ${value}`;
    else if (kind === "_auth") found[prefix] ??= `Basic ${value}`;
    else {
      const password = settings.get(`${location}:_password`);
      if (password === undefined) continue;
      const pair = `${value}:${Buffer.from(password, "base64").toString()}`;
      found[prefix] ??= `Basic ${Buffer.from(pair).toString("base64")}`;
    }
  }
  return found;
}

function address(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new ConfigError(`The npm registry must be an http or https URL (it is "${text}").`);
  }
  url.hash = "";
  url.search = "";
  return url.href.endsWith("/") ? url.href : `${url.href}/`;
}
