import type { Credential } from "@toolhost/contract";
import type { Secret, SecretChoice } from "@toolhost/tool-schema/curl";
import { isHostAllowed } from "#lib/allowed-hosts";

/** Where the tool gets a secret from. */
export type SecretSource =
  /** A credential that is saved with this value, or later if the value is empty. */
  | { kind: "new"; name: string; value: string }
  | { kind: "existing"; name: string }
  | { kind: "input" };

const minValueLength = 4;

/** The credentials that may be sent to the host: a user's own before the workspace's of the same name. */
export function fittingCredentials(all: readonly Credential[], host: string): Credential[] {
  const byName = new Map<string, Credential>();
  for (const one of all) {
    if (one.owner === "user" || !byName.has(one.name)) byName.set(one.name, one);
  }
  return [...byName.values()].filter(({ hosts }) => isHostAllowed(hosts, host));
}

/** An existing credential of the proposed name, or the only one for the host of the only secret; otherwise a new one. */
export function proposeSource(
  secret: Secret,
  { all, host, isOnly }: { all: readonly Credential[]; host: string; isOnly: boolean },
): SecretSource {
  const fitting = fittingCredentials(all, host);
  const [first] = fitting;
  const isClear = isOnly && fitting.length === 1 && secret.place !== "user";
  const known =
    fitting.find(({ name }) => name === secret.credential) ?? (isClear ? first : undefined);
  if (known !== undefined) return { kind: "existing", name: known.name };
  return { kind: "new", name: freeName(secret.credential, all), value: secret.value ?? "" };
}

function freeName(wanted: string, all: readonly Credential[]): string {
  const taken = new Set(all.map(({ name }) => name));
  let name = wanted;
  for (let number = 2; taken.has(name); number += 1) name = `${wanted}_${number}`;
  return name;
}

/** Why a new credential cannot be saved. */
export function problemOf(source: SecretSource): "name" | "value" | undefined {
  if (source.kind !== "new") return undefined;
  if (!/^[A-Z][A-Z0-9_]{0,63}$/.test(source.name)) return "name";
  const { length } = source.value;
  return length > 0 && length < minValueLength ? "value" : undefined;
}

export function toChoice(source: SecretSource): SecretChoice {
  return source.kind === "input" ? "input" : { credential: source.name };
}
