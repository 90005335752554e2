import type { Credential } from "@toolhost/contract";
import type { Secret, SecretChoice } from "@toolhost/tool-schema/curl";
import { isHostAllowed } from "#lib/allowed-hosts";

/** Where the tool gets a secret from. */
export type SecretSource = NewSource | { kind: "existing"; name: string } | { kind: "input" };

/** A credential that is saved with this value, or later if the value is empty. */
export type NewSource = { kind: "new"; name: string; value: string };

const minValueLength = 4;

/** The credentials that may be sent to the host: a user's own before the workspace's of the same name. */
export function fittingCredentials(all: readonly Credential[], host: string): Credential[] {
  const byName = new Map<string, Credential>();
  for (const one of all) {
    if (one.owner === "user" || !byName.has(one.name)) byName.set(one.name, one);
  }
  return [...byName.values()].filter(({ hosts }) => isHostAllowed(hosts, host));
}

/**
 * Where each secret comes from unless the user decides otherwise. A value in the command becomes a new credential: an
 * existing one may be another secret. In place of a placeholder, it is the existing credential of the proposed name, or the
 * only one for the host of the only secret.
 */
export function proposeSources(
  secrets: readonly Secret[],
  all: readonly Credential[],
  host: string,
): ReadonlyMap<string, SecretSource> {
  const sources = new Map<string, SecretSource>();
  for (const secret of secrets) {
    const known =
      secret.value === undefined ? findExisting(secret, { secrets, all, host }) : undefined;
    const source: SecretSource =
      known === undefined
        ? newSource(secret, takenNames(all, sources))
        : { kind: "existing", name: known.name };
    sources.set(secret.id, source);
  }
  return sources;
}

function findExisting(
  secret: Secret,
  { secrets, all, host }: { secrets: readonly Secret[]; all: readonly Credential[]; host: string },
): Credential | undefined {
  const fitting = fittingCredentials(all, host);
  const isClear = secrets.length === 1 && fitting.length === 1 && secret.place !== "user";
  return (
    fitting.find(({ name }) => name === secret.credential) ?? (isClear ? fitting[0] : undefined)
  );
}

/** The credential that a secret may already be saved as: of the proposed name, or else the only one for the host. */
export function savedCredential(
  { credential, place }: Secret,
  all: readonly Credential[],
  host: string,
): Credential | undefined {
  const fitting = fittingCredentials(all, host);
  const only = fitting.length === 1 && place !== "user" ? fitting[0] : undefined;
  return fitting.find(({ name }) => name === credential) ?? only;
}

/** A new credential for a secret, with a name that is not taken. */
export function newSource(secret: Secret, taken: ReadonlySet<string>): NewSource {
  let name = secret.credential;
  for (let number = 2; taken.has(name); number += 1) name = `${secret.credential}_${number}`;
  return { kind: "new", name, value: secret.value ?? "" };
}

/** The names of all credentials, and of those that the other secrets become. */
export function takenNames(
  all: readonly Credential[],
  sources: ReadonlyMap<string, SecretSource>,
  ownId?: string,
): ReadonlySet<string> {
  const others = [...sources].flatMap(([id, source]) =>
    source.kind === "new" && id !== ownId ? [source.name] : [],
  );
  return new Set([...all.map(({ name }) => name), ...others]);
}

/** Why a new credential cannot be saved. Of a name that is taken, the tool would get another value. */
export function problemOf(
  source: SecretSource,
  taken: ReadonlySet<string>,
): "name" | "taken" | "value" | undefined {
  if (source.kind !== "new") return undefined;
  if (!/^[A-Z][A-Z0-9_]{0,63}$/.test(source.name)) return "name";
  if (taken.has(source.name)) return "taken";
  const { length } = source.value;
  return length > 0 && length < minValueLength ? "value" : undefined;
}

export function toChoice(source: SecretSource): SecretChoice {
  return source.kind === "input" ? "input" : { credential: source.name };
}
