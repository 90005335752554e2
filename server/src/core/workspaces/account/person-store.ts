import { sql } from "kysely";
import type { Database, TransactionStep } from "#db";

/** Deletes a user and their sign-in methods, in the tables of the sign-in library and of the service. */
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
