import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import type { CompiledQuery } from "kysely";
import { ConfigError } from "#config";
import type { Database } from "#db";
import type { Envelopes, Sealed } from "#lib/envelope";
import type { Log } from "#lib/log";
import { countByKey } from "./sealed-store.ts";

/** Name of the root secret in the settings, which is bound to its encryption. */
export const rootSecretName = "root_secret";

/**
 * The 32 bytes from which the service's own secrets are derived, made once for a database and kept in it under
 * the encryption key: so another key changes none of them. Which key wraps it says which one seals on every
 * node. Throws `ConfigError` when the keys given do not open it.
 */
export async function openRootSecret(
  db: Database,
  envelopes: Envelopes,
  log: Log,
): Promise<Buffer> {
  const kept = (await readRoot(db)) ?? (await makeRoot(db, envelopes));
  if (!envelopes.sealWith(kept.sealed.keyId)) throw wrongKey(kept.sealed.keyId, envelopes);
  await warnOfStrangeSecrets(db, envelopes, log);
  return Buffer.from(envelopes.open(kept.sealed, rootSecretName), "hex");
}

/** The ID of a key that this database cannot be read without, or undefined if it contains no secret yet. */
export async function findRequiredKeyId(db: Database): Promise<string | undefined> {
  const root = await readRoot(db);
  return root?.sealed.keyId ?? [...(await countByKey(db)).keys()][0];
}

/**
 * Seals with the key that the database names by now. Throws when this node has not been given it: then it must
 * be started again with the new key.
 */
export async function followKey(db: Database, envelopes: Envelopes): Promise<void> {
  const kept = await readRoot(db);
  if (kept === undefined || envelopes.sealWith(kept.sealed.keyId)) return;
  throw wrongKey(kept.sealed.keyId, envelopes);
}

/** Tells the operator of secrets that no key given opens, since the runs that need them will fail. */
async function warnOfStrangeSecrets(db: Database, envelopes: Envelopes, log: Log): Promise<void> {
  for (const [keyId, count] of await countByKey(db)) {
    if (envelopes.keyIds.includes(keyId)) continue;
    log.error({ keyId, secrets: count }, "secrets are encrypted with a key that is not given");
  }
}

type Root = { value: string; sealed: Sealed };

/** The root secret as it is kept, or undefined when there is none yet. */
export async function readRoot(db: Database): Promise<Root | undefined> {
  const row = await db.kysely
    .selectFrom("settings")
    .select("value")
    .where("name", "=", rootSecretName)
    .executeTakeFirst();
  return row && { value: row.value, sealed: JSON.parse(row.value) as Sealed };
}

/** The step that puts the root secret under the key that seals. Throws when it does not open. */
export function rewrapRoot(db: Database, envelopes: Envelopes, root: Root): CompiledQuery {
  return db.kysely
    .updateTable("settings")
    .set({ value: JSON.stringify(envelopes.rewrap(root.sealed, rootSecretName)) })
    .where("name", "=", rootSecretName)
    .where("value", "=", root.value)
    .compile();
}

async function makeRoot(db: Database, envelopes: Envelopes): Promise<Root> {
  const strange = [...(await countByKey(db)).keys()].find((id) => !envelopes.keyIds.includes(id));
  if (strange !== undefined) throw wrongKey(strange, envelopes);
  const value = JSON.stringify(envelopes.seal(randomBytes(32).toString("hex"), rootSecretName));
  // Of nodes that start together for the first time, one makes it.
  await db.transact([
    sql`insert into settings (name, value) values (${rootSecretName}, ${value}) on conflict (name) do nothing`.compile(
      db.kysely,
    ),
  ]);
  const kept = await readRoot(db);
  if (kept === undefined) throw new Error("The root secret was not kept");
  return kept;
}

function wrongKey(keyId: string, { keyIds }: Envelopes): ConfigError {
  return new ConfigError(
    `The encryption key does not match this database, which needs the key with the ID ${keyId}, not ${keyIds.join(" or ")}. ` +
      "Set ENCRYPTION_KEY to that key or restore DATA_DIR/encryption.key, or add the key to ENCRYPTION_KEY_PREVIOUS during a rotation.",
  );
}
