import { sql } from "kysely";
import type { Database, TransactionStep } from "#db";

/** Deletes who a person was and how they signed in, in the sign-in library's tables and in ours. */
export function deletePerson(
  { kysely }: Database,
  { userId, email }: { userId: string; email: string },
): TransactionStep[] {
  return [
    kysely.deleteFrom("invitations").where("email", "=", email).compile(),
    kysely.deleteFrom("members").where("user_id", "=", userId).compile(),
    kysely.deleteFrom("sessions").where("user_id", "=", userId).compile(),
    kysely.deleteFrom("verifications").where("value", "=", userId).compile(),
    sql`delete from two_factors where user_id = ${userId}`.compile(kysely),
    sql`delete from accounts where user_id = ${userId}`.compile(kysely),
    { query: kysely.deleteFrom("users").where("id", "=", userId).compile(), mustChange: true },
  ];
}
