import { parseDeclaredHost, undeclared, type DeclaredHost } from "./declared-hosts.ts";
import type { EgressPolicy } from "./policy.ts";
import { credentialNotAllowed, EgressDeniedError } from "./egress-errors.ts";
import type { Secret } from "./secret.ts";
import type { Target } from "./target.ts";

type SecretOfRun = Secret & {
  declared: readonly (readonly DeclaredHost[])[];
  /** How often the value was put in, by host. */
  uses: Map<string, number>;
};

/** Secrets with their hosts read, for one run. */
export type SecretsOfRun = readonly SecretOfRun[];

/** Toward which hosts a secret was put in, and how often. */
export type SecretUse = { name: string; hosts: { host: string; count: number }[] };

const read = new WeakMap<readonly Secret[], SecretsOfRun>();

/** The secrets of a run as they are now, with their hosts read once for each list. */
export async function secretsOf(policy: EgressPolicy): Promise<SecretsOfRun> {
  const { secrets } = policy;
  if (secrets === undefined) return [];
  return readOnce(typeof secrets === "function" ? await secrets() : secrets, accountOf(policy));
}

function readOnce(secrets: readonly Secret[], account: Account): SecretsOfRun {
  let known = read.get(secrets);
  if (known === undefined) {
    known = secrets.map((secret) => ({
      ...secret,
      uses: account.getOrInsertComputed(secret.name, () => new Map<string, number>()),
      declared: secret.hosts.map((hosts) =>
        hosts.map(parseDeclaredHost).filter((host) => host !== undefined),
      ),
    }));
    read.set(secrets, known);
  }
  return known;
}

const MAX_HOSTS = 100;
const OTHERS = "(other hosts)";

/** Takes note that a value goes out to a host: at most 100 are named. */
export function recordUse({ uses }: SecretOfRun, { name }: Target): void {
  const host = uses.has(name) || uses.size < MAX_HOSTS - 1 ? name : OTHERS;
  uses.set(host, (uses.get(host) ?? 0) + 1);
}

/** Where each secret of a run's policy was put in so far; nothing of those that never were asked for. */
export function secretUsesOf(policy: EgressPolicy): SecretUse[] {
  return Array.from(accountOf(policy), ([name, uses]) => ({
    name,
    hosts: Array.from(uses, ([host, count]) => ({ host, count })),
  }));
}

/** Hosts and counts by the secret's name, which stays when its value is replaced. */
type Account = Map<string, Map<string, number>>;

const accounts = new WeakMap<EgressPolicy, Account>();

function accountOf(policy: EgressPolicy): Account {
  return accounts.getOrInsertComputed(policy, () => new Map());
}

/** Which text the value stands in, and so how it has to be written there. */
export type Encoding = "plain" | "url" | "json";

/** How a value is written in a encoding. */
export function encodeValue(value: string, encoding: Encoding): string {
  if (encoding === "url") return encodeURIComponent(value);
  return encoding === "json" ? JSON.stringify(value).slice(1, -1) : value;
}

/** The secrets that may be sent to a target. */
export function secretsFor(secrets: SecretsOfRun, target: Target): SecretsOfRun {
  return secrets.filter((secret) => isFor(secret, target));
}

/** The secrets that the run's code sees and must not send to a target. */
export function withheldSecrets(secrets: SecretsOfRun, target: Target): SecretsOfRun {
  return secrets.filter((secret) => secret.isExposed === true && !isFor(secret, target));
}

function isFor({ declared }: SecretOfRun, target: Target): boolean {
  return declared.every((hosts) => undeclared(hosts, target) === undefined);
}

/**
 * Puts values in the encoding of placeholders. Throws `EgressDeniedError` for a placeholder of this run whose value
 * is not for the target: what the tool meant to send would not arrive.
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
      throw new EgressDeniedError(target.name, credentialNotAllowed(secret.name));
    }
    result = result.replaceAll(secret.placeholder, () => {
      recordUse(secret, target);
      return encodeValue(secret.value, encoding);
    });
  }
  return result;
}

const basic = /^(Basic +)([A-Za-z0-9+/=]+) *$/i;

/** A header's value with secrets in it, also within the name and password of Basic (RFC 7617). */
export function substituteInHeader(value: string, secrets: SecretsOfRun, target: Target): string {
  const [, scheme, encoded] = basic.exec(value) ?? [];
  if (scheme === undefined || encoded === undefined) {
    return checkedHeader(substitute(value, "plain", secrets, target), target);
  }
  const pair = Buffer.from(encoded, "base64").toString();
  const filled = substitute(pair, "plain", secrets, target);
  return filled === pair ? value : scheme + Buffer.from(filled).toString("base64");
}

/** A value with a line break would begin another header. */
function checkedHeader(value: string, target: Target): string {
  // oxlint-disable-next-line no-control-regex
  if (/[\r\n\0]/.test(value)) {
    throw new EgressDeniedError(
      target.name,
      "a credential with line breaks cannot stand in a header",
    );
  }
  return value;
}
