import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import type { Database } from "#db";

/** What a run used, as it is recorded in columns of JSON. */
export type RecordedUse = {
  /** The name of a credential that was available to the run. */
  credential?: string | undefined;
  /** A host that the run sent requests to, or tried to. */
  host?: string | undefined;
  apiKeyId?: string | undefined;
  /** The ID of a connected app. */
  appId?: string | undefined;
};

type Recorded = { column: "credentials" | "egress" | "actor"; member: string };

const recorded: Record<keyof RecordedUse, Recorded> = {
  credential: { column: "credentials", member: "name" },
  host: { column: "egress", member: "host" },
  apiKeyId: { column: "actor", member: "apiKeyId" },
  appId: { column: "actor", member: "grantId" },
};

/** The columns that {@link isUsed} reads, and its conditions. They have no index, and the JSON is searched as text. */
export function isUsed(
  { dialect }: Pick<Database, "dialect">,
  use: RecordedUse,
): { columns: Recorded["column"][]; conditions: RawBuilder<boolean>[] } {
  const names = (Object.keys(recorded) as (keyof RecordedUse)[]).filter(
    (name) => use[name] !== undefined,
  );
  const contains = sql.raw(dialect === "postgres" ? "strpos" : "instr");
  return {
    columns: [...new Set(names.map((name) => recorded[name].column))],
    conditions: names.map((name) => {
      const { column, member } = recorded[name];
      // Exactly as `JSON.stringify` writes a member, and a text in the values cannot contain its quotes unescaped.
      const text = `"${member}":${JSON.stringify(use[name])}`;
      return sql<boolean>`${contains}(${sql.ref(column)}, ${text}) > 0`;
    }),
  };
}
