import { createRedactor, redactInParts } from "@toolhost/sandbox";
import type { EgressPolicy, Redactor } from "@toolhost/sandbox";
import { freshenAgain } from "../connections/freshen.ts";
import { reportRefusal } from "../connections/report-refusal.ts";
import type { Refusal } from "../connections/report-refusal.ts";
import type { VaultContext } from "../context.ts";
import type { CredentialTable } from "#db";
import { randomToken } from "#lib/ids";
import { checkValueBytes, maxValueBytes, openValue } from "./open-value.ts";

/** A decrypted credential of a run. */
export type OpenCredential = {
  row: CredentialTable;
  name: string;
  placeholder: string;
  value: string;
  hosts: readonly (readonly string[])[];
  isExposed: boolean;
};

/** The most recent secrets whose values fit into the limit of bytes to search for. */
function latest(secrets: readonly Secret[]): Secret[] {
  let left = maxValueBytes;
  const recent = secrets.slice(-maxFormer).toReversed();
  return recent.filter(({ value }) => (left -= Buffer.byteLength(value)) >= 0).toReversed();
}

type Secret = Omit<OpenCredential, "row"> & { onRefused: (refusal: Refusal) => void };
type LiveSecrets = { secrets: NonNullable<EgressPolicy["secrets"]>; redact: Redactor };

const lookAgainMs = 1_000;
/** Shorter lifetimes of tokens are treated as this one, so that responses are not searched for hundreds of tokens. */
const minLifeMs = 10_000;
const maxFormer = 10;

/** Connections by placeholder, and when to look for a new token. */
type DueTimes = Map<string, { row: CredentialTable; at: number }>;

function dueTimes(opened: readonly OpenCredential[]): DueTimes {
  const connections = opened.filter(({ row }) => row.kind === "oauth2");
  return new Map(
    connections.map(({ row, placeholder }) => [
      placeholder,
      { row, at: row.refresh_at ?? Infinity },
    ]),
  );
}

/** Gets a new token for a refused one if possible. The next request of the run looks for it. */
async function handleRefusal(
  context: VaultContext,
  due: DueTimes,
  placeholder: string,
  refusal: Refusal,
): Promise<void> {
  const known = due.get(placeholder);
  if (known === undefined) return;
  const { id, workspace_id: workspaceId, revision } = known.row;
  try {
    await reportRefusal(context, { id, workspaceId, revision }, refusal);
    due.set(placeholder, { row: known.row, at: 0 });
  } catch (error) {
    context.log.error({ err: error, credentialId: id }, "a refused token could not be handled");
  }
}

/**
 * The secrets of a run. If a connection's token is renewed during the run, its next request sends the new one, and the
 * former ones are still redacted in everything that comes back.
 */
export function followSecrets(
  context: VaultContext,
  opened: readonly OpenCredential[],
): LiveSecrets {
  const due = dueTimes(opened);
  let secrets: readonly Secret[] = opened.map(({ name, placeholder, value, hosts, isExposed }) => ({
    name,
    placeholder,
    value,
    hosts,
    isExposed,
    onRefused: (refusal) => void handleRefusal(context, due, placeholder, refusal),
  }));
  let redact = createRedactor(secrets);
  if (due.size === 0) return { secrets, redact };
  let present = secrets;
  let replacedSecrets: readonly Secret[] = [];
  const replace = (placeholder: string, value: string) => {
    const replaced = present.filter((secret) => secret.placeholder === placeholder);
    // Gets a random placeholder and no hosts, unless the tool has the value itself.
    const inert = replaced.map((secret) => {
      const hosts = secret.isExposed ? secret.hosts : [[]];
      return { ...secret, placeholder: randomToken(), hosts };
    });
    present = present.map((secret) =>
      secret.placeholder === placeholder ? { ...secret, value } : secret,
    );
    checkValueBytes(present.map((secret) => secret.value));
    replacedSecrets = latest([...replacedSecrets, ...inert]);
    secrets = [...present, ...replacedSecrets];
    redact = createRedactor(secrets);
  };
  const look = async () => {
    for (const [placeholder, known] of due) {
      if (context.clock.now() < known.at) continue;
      const row = await freshenAgain(context, known.row);
      const isNew = row !== undefined && row.revision !== known.row.revision;
      if (isNew) replace(placeholder, openValue(context, row));
      const now = context.clock.now();
      const again = known.row.refresh_at === null ? Infinity : now + lookAgainMs;
      due.set(placeholder, {
        row: isNew ? row : known.row,
        at: isNew ? Math.max(row.refresh_at ?? Infinity, now + minLifeMs) : again,
      });
    }
  };
  let looking: Promise<void> | undefined;
  return {
    secrets: async () => {
      const now = context.clock.now();
      if ([...due.values()].some(({ at }) => at <= now)) {
        looking ??= look().finally(() => (looking = undefined));
        await looking;
      }
      return secrets;
    },
    redact: Object.assign((text: string) => redact(text), {
      inParts: (text: string) => redactInParts(redact, text),
    }),
  };
}
