import pg from "pg";
import { messageOf } from "#lib/message-of";
import { OperatorError } from "#lib/operator-error";

/**
 * Waits for the first contact with the server of a PostgreSQL address. Throws `OperatorError`, which names the server but
 * not the password, if there is none.
 */
export async function connecting(url: string, contact: () => Promise<unknown>): Promise<void> {
  try {
    await contact();
  } catch (cause) {
    const { host, port, user, database } = new pg.Client({ connectionString: url });
    throw new OperatorError(
      `Cannot connect to PostgreSQL at ${host}:${port} (database ${database}, user ${user}): ${describeProblem(cause)}`,
      { cause },
    );
  }
}

/** An error of the driver or the server in one line, with what the operator can do about it. */
export function describeProblem(error: unknown): string {
  // A name with several addresses fails with an error for each of them.
  const first = error instanceof AggregateError ? error.errors[0] : error;
  const line = messageOf(first).replaceAll(/\s+/g, " ").replace(/\.$/, "");
  const code = first instanceof Error && "code" in first ? String(first.code) : "";
  const [, advice] = advices.find(([pattern]) => pattern.test(code) || pattern.test(line)) ?? [];
  return advice === undefined ? `${line}.` : `${line}. ${advice}`;
}

/** By the code of an error, or by its message if it has none. */
const advices: readonly [RegExp, string][] = [
  [/^28P01$|password must be a string/, "Check the user and the password in DATABASE_URL."],
  [/^28000$/, "Check the user in DATABASE_URL, and pg_hba.conf on the server."],
  [/^3D000$/, "Check the name of the database in DATABASE_URL, or create it with createdb."],
  [
    /^42501$/,
    "The user must own the database or have the right CREATE on its schema: see Connect to PostgreSQL in docs/operate/operate.md.",
  ],
  [
    /^53300$/,
    "The server has no free connection: raise its max_connections, or lower DATABASE_POOL_SIZE.",
  ],
  [/^E(?:NOTFOUND|AI_AGAIN)$/, "Check the name of the server in DATABASE_URL, and DNS."],
  [/^ECONNREFUSED$/, "Check that the server runs, and its address in DATABASE_URL."],
  [
    /^E(?:TIMEDOUT|HOSTUNREACH|NETUNREACH)$|timeout/,
    "Check the address in DATABASE_URL, the network and the firewall.",
  ],
  [
    /^ERR_TLS_CERT_ALTNAME_INVALID$/,
    "Use the name in DATABASE_URL that the certificate of the server is for.",
  ],
  [
    /^CERT_(?:HAS_EXPIRED|NOT_YET_VALID)$/,
    "Renew the certificate of the server, and check the clocks of both machines.",
  ],
  [
    /CERT|UNABLE_TO_VERIFY|SIGNATURE/,
    "Set sslrootcert in DATABASE_URL, or NODE_EXTRA_CA_CERTS, to the file of the certificate authority.",
  ],
  [
    /does not support SSL/,
    "Turn TLS on at the server, or use sslmode=disable on a network that you trust.",
  ],
];
