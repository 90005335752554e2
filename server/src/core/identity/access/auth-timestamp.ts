import type { Database } from "#db";

/** A time as the sign-in library keeps it in this database. */
export function toAuthTimestamp({ dialect }: Pick<Database, "dialect">, ms: number): Date | string {
  return dialect === "postgres" ? new Date(ms) : new Date(ms).toISOString();
}
