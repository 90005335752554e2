import type { Database } from "#db";
import type { Envelopes, Sealed } from "#lib/envelope";
import { readRoot, rootSecretName } from "./root-secret.ts";
import { findSealedWithOtherKeys, sealedColumns } from "./sealed-store.ts";
import type { SealedRow } from "./sealed-store.ts";

/** Whether the keys decrypt the root secret of a database, and how many of its other secrets they decrypt. */
export type KeyCheck = { opensRoot: boolean; decrypted: number; failed: number };

const pageSize = 500;

/** Decrypts every secret of a database. */
export async function checkKeys(db: Database, envelopes: Envelopes): Promise<KeyCheck> {
  const root = await readRoot(db);
  const opensRoot = root !== undefined && canOpen(envelopes, root.sealed, rootSecretName);
  const check = { opensRoot, decrypted: 0, failed: 0 };
  for (const columns of sealedColumns) {
    for (let after: string | undefined = ""; after !== undefined;) {
      // No key has an empty ID, so these are all rows.
      const page = { keyId: "", after, limit: pageSize };
      const rows: SealedRow[] = await findSealedWithOtherKeys(db, columns, page);
      for (const row of rows) check[canOpen(envelopes, row, row.id) ? "decrypted" : "failed"] += 1;
      after = rows.at(-1)?.id;
    }
  }
  return check;
}

function canOpen(envelopes: Envelopes, sealed: Sealed, about: string): boolean {
  try {
    envelopes.open(sealed, about);
    return true;
  } catch {
    return false;
  }
}
