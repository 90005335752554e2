import { mismatchOf, parseDeclaredHost, type DeclaredHost } from "./declared-hosts.ts";
import type { EgressPolicy } from "./policy.ts";
import { EgressDeniedError } from "./egress-errors.ts";
import type { NamedValue, Secret } from "./secret.ts";
import type { Target } from "./target.ts";

type SecretOfRun = Secret & {
  declared: readonly (readonly DeclaredHost[])[];
  /** How often the value was sent, by host. */
  uses: Map<string, number>;
  /** The pairs of user and password that the run sent, by value. All secrets of a run share them. */
  pairs: Map<string, NamedValue>;
};

/** The secrets of one run, with their hosts parsed. */
export type SecretsOfRun = readonly SecretOfRun[];

/** The hosts that a secret was sent to, and how often. */
export type SecretUse = { name: string; hosts: { host: string; count: number }[] };

const parsed = new WeakMap<readonly Secret[], SecretsOfRun>();

/** The current secrets of a run. Parses their hosts once for each list. */
export async function secretsOf(policy: EgressPolicy): Promise<SecretsOfRun> {
  const { secrets } = policy;
  if (secrets === undefined) return [];
  return parseOnce(typeof secrets === "function" ? await secrets() : secrets, accountOf(policy));
}

function parseOnce(secrets: readonly Secret[], account: Account): SecretsOfRun {
  let known = parsed.get(secrets);
  if (known === undefined) {
    known = secrets.map((secret) => ({
      ...secret,
      uses: account.uses.getOrInsertComputed(secret.name, () => new Map<string, number>()),
      pairs: account.pairs,
      declared: secret.hosts.map((hosts) =>
        hosts.map(parseDeclaredHost).filter((host) => host !== undefined),
      ),
    }));
    parsed.set(secrets, known);
  }
  return known;
}

const MAX_HOSTS = 100;
const OTHERS = "(other hosts)";

/** Records that a value is sent to a host. After 99 hosts, all others are counted together. */
export function recordUse({ uses }: SecretOfRun, { name }: Target): void {
  const host = uses.has(name) || uses.size < MAX_HOSTS - 1 ? name : OTHERS;
  uses.set(host, (uses.get(host) ?? 0) + 1);
}

/** The hosts that each secret of a policy was sent to so far. Omits secrets that were never loaded. */
export function secretUsesOf(policy: EgressPolicy): SecretUse[] {
  return Array.from(accountOf(policy).uses, ([name, uses]) => ({
    name,
    hosts: Array.from(uses, ([host, count]) => ({ host, count })),
  }));
}

type Account = {
  /** Hosts and counts by the secret's name, which does not change when its value is refreshed. */
  uses: Map<string, Map<string, number>>;
  pairs: Map<string, NamedValue>;
};

const accounts = new WeakMap<EgressPolicy, Account>();

function accountOf(policy: EgressPolicy): Account {
  return accounts.getOrInsertComputed(policy, () => ({ uses: new Map(), pairs: new Map() }));
}

/** How a value must be encoded where it is substituted. */
export type Encoding = "plain" | "url" | "json";

/** Encodes a value for the text that it is substituted in. */
export function encodeValue(value: string, encoding: Encoding): string {
  if (encoding === "url") return encodeURIComponent(value);
  return encoding === "json" ? JSON.stringify(value).slice(1, -1) : value;
}

/** The secrets that may be sent to a target. */
export function secretsFor(secrets: SecretsOfRun, target: Target): SecretsOfRun {
  return secrets.filter((secret) => isFor(secret, target));
}

/** The exposed secrets, which the run's code sees, that must not be sent to a target. */
export function withheldSecrets(secrets: SecretsOfRun, target: Target): SecretsOfRun {
  return secrets.filter((secret) => secret.isExposed === true && !isFor(secret, target));
}

function isFor({ declared }: SecretOfRun, target: Target): boolean {
  return declared.every((hosts) => mismatchOf(hosts, target) === undefined);
}

/** Why a credential may not be sent to a target, and how to allow it. */
export function credentialNotAllowed({ name, declared }: SecretOfRun, target: Target): string {
  const mismatches = new Set(declared.map((hosts) => mismatchOf(hosts, target)));
  const isOtherScheme = mismatches.has("scheme") && !mismatches.has("host");
  if (!isOtherScheme) {
    return `the credential ${name} is not allowed for this host. Add the host to the credential's hosts, and to the hosts that the tool declares for it`;
  }
  const isPlain = target.scheme === "http:";
  const entry = isPlain ? `http://${target.name}` : target.name;
  const only = isPlain ? "HTTPS" : "plain HTTP";
  return `the credential ${name} is allowed for this host only over ${only}. Add "${entry}" to the credential's hosts, and to the hosts that the tool declares for it`;
}

/**
 * Substitutes values for placeholders. Throws `EgressDeniedError` for a placeholder whose value is not allowed for the
 * target, because the request would not contain what the tool intended.
 */
export function substitute(
  text: string,
  encoding: Encoding,
  secrets: SecretsOfRun,
  target: Target,
): string {
  let result = text;
  for (const secret of secrets) {
    if (!result.includes(secret.placeholder)) continue;
    if (!isFor(secret, target)) {
      throw new EgressDeniedError(target.name, credentialNotAllowed(secret, target));
    }
    result = result.replaceAll(secret.placeholder, () => {
      recordUse(secret, target);
      return encodeValue(secret.value, encoding);
    });
  }
  return result;
}

const basic = /^(Basic +)([A-Za-z0-9+/=]+) *$/i;

/** Substitutes secrets in a header's value, including the user and password of Basic authentication (RFC 7617). */
export function substituteInHeader(value: string, secrets: SecretsOfRun, target: Target): string {
  const [, scheme, encoded] = basic.exec(value) ?? [];
  if (scheme === undefined || encoded === undefined) {
    return checkedHeader(substitute(value, "plain", secrets, target), target);
  }
  const pair = Buffer.from(encoded, "base64").toString();
  const filled = substitute(pair, "plain", secrets, target);
  recordPair(pair, filled, secrets);
  return filled === pair ? value : scheme + Buffer.from(filled).toString("base64");
}

/** Further pairs are only redacted where their parts are found. */
const MAX_PAIRS = 10;

/**
 * Base64 of a pair shares characters between its user and its password, and hides short ones: searching for each alone
 * would leave parts of both.
 */
function recordPair(pair: string, filled: string, secrets: SecretsOfRun): void {
  const used = secrets.filter(({ placeholder }) => pair.includes(placeholder));
  const [first] = used;
  if (first === undefined || first.pairs.size >= MAX_PAIRS) return;
  first.pairs.set(filled, { name: used.map(({ name }) => name).join(":"), value: filled });
}

/** What must not reach the tool in a response: the secrets, and the pairs that contain them. */
export function redactedValues(secrets: SecretsOfRun): readonly NamedValue[] {
  const pairs = secrets[0]?.pairs;
  return pairs === undefined || pairs.size === 0 ? secrets : [...secrets, ...pairs.values()];
}

/** Rejects values with line breaks, which would start another header. */
function checkedHeader(value: string, target: Target): string {
  // oxlint-disable-next-line no-control-regex
  if (/[\r\n\0]/.test(value)) {
    throw new EgressDeniedError(
      target.name,
      "a credential with line breaks cannot be used in a header",
    );
  }
  return value;
}
