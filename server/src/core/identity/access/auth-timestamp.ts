import type { Database } from "#db";

/** A time in the format that the sign-in library stores in this database. */
export function toAuthTimestamp({ dialect }: Pick<Database, "dialect">, ms: number): Date | string {
  return dialect === "postgres" ? new Date(ms) : new Date(ms).toISOString();
}
