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
 * Opens the 32 bytes from which the service derives its own secrets. They are created once per database and stored
 * there under the encryption key, so a new key changes none of the derived secrets. The key that wraps them is the one
 * that every node encrypts with. Throws `ConfigError` if none of the given keys opens them.
 */
export async function openRootSecret(
  db: Database,
  envelopes: Envelopes,
  log: Log,
): Promise<Buffer> {
  const root = (await readRoot(db)) ?? (await makeRoot(db, envelopes));
  if (!envelopes.sealWith(root.sealed.keyId)) throw wrongKey(root.sealed.keyId, envelopes);
  await warnOfUnknownKeys(db, envelopes, log);
  return Buffer.from(envelopes.open(root.sealed, rootSecretName), "hex");
}

/** The ID of a key that this database cannot be read without, or undefined if it contains no secret yet. */
export async function findRequiredKeyId(db: Database): Promise<string | undefined> {
  const root = await readRoot(db);
  return root?.sealed.keyId ?? [...(await countByKey(db)).keys()][0];
}

/**
 * Encrypts with the key that the database names. Throws if this node does not have it, and must be restarted with the
 * new key.
 */
export async function followKey(db: Database, envelopes: Envelopes): Promise<void> {
  const root = await readRoot(db);
  if (root === undefined || envelopes.sealWith(root.sealed.keyId)) return;
  throw wrongKey(root.sealed.keyId, envelopes);
}

/** Logs secrets that none of the given keys opens, because runs that need them fail. */
async function warnOfUnknownKeys(db: Database, envelopes: Envelopes, log: Log): Promise<void> {
  for (const [keyId, count] of await countByKey(db)) {
    if (envelopes.keyIds.includes(keyId)) continue;
    log.error(
      { keyId, secrets: count },
      "secrets are encrypted with a key that is not configured; set ENCRYPTION_KEY_PREVIOUS",
    );
  }
}

type Root = { value: string; sealed: Sealed };

/** The stored root secret; undefined before the first start. */
export async function readRoot(db: Database): Promise<Root | undefined> {
  const row = await db.kysely
    .selectFrom("settings")
    .select("value")
    .where("name", "=", rootSecretName)
    .executeTakeFirst();
  return row && { value: row.value, sealed: JSON.parse(row.value) as Sealed };
}

/** The step that wraps the root secret with the current key. Throws if it does not open. */
export function rewrapRoot(db: Database, envelopes: Envelopes, root: Root): CompiledQuery {
  return db.kysely
    .updateTable("settings")
    .set({ value: JSON.stringify(envelopes.rewrap(root.sealed, rootSecretName)) })
    .where("name", "=", rootSecretName)
    .where("value", "=", root.value)
    .compile();
}

async function makeRoot(db: Database, envelopes: Envelopes): Promise<Root> {
  const unknown = [...(await countByKey(db)).keys()].find((id) => !envelopes.keyIds.includes(id));
  if (unknown !== undefined) throw wrongKey(unknown, envelopes);
  const value = JSON.stringify(envelopes.seal(randomBytes(32).toString("hex"), rootSecretName));
  // If several nodes start at the same time on an empty database, one of them creates it.
  await db.transact([
    sql`insert into settings (name, value) values (${rootSecretName}, ${value}) on conflict (name) do nothing`.compile(
      db.kysely,
    ),
  ]);
  const root = await readRoot(db);
  if (root === undefined) throw new Error("The root secret was not stored");
  return root;
}

function wrongKey(keyId: string, { keyIds }: Envelopes): ConfigError {
  return new ConfigError(
    `The encryption key does not match this database, which needs the key with the ID ${keyId}, not ${keyIds.join(" or ")}. ` +
      "Set ENCRYPTION_KEY to that key or restore DATA_DIR/encryption.key, or add the key to ENCRYPTION_KEY_PREVIOUS during a rotation.",
  );
}
