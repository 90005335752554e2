import { randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { TLSSocket } from "node:tls";
import { testCertificate } from "@toolhost/sandbox/testing";
import pg from "pg";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createDatabase } from "#testing/template";
import type { TestDatabase } from "#testing/template";
import { openDatabase } from "./index.ts";
import { describeProblem } from "./open-error.ts";

const isPostgres = process.env["TEST_DIALECT"] === "postgres";
const password = "never-printed";

let dataDir: string;
let server: TestDatabase | undefined;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "toolhost-open-"));
  server = await createDatabase();
});
afterAll(async () => {
  await server?.drop();
  await rm(dataDir, { recursive: true });
});

const open = async (url = server?.url) => {
  const location = { dataDir, DATABASE_URL: url, DATABASE_POOL_SIZE: 1 };
  const { database } = await openDatabase(
    location,
    () => undefined,
    async () => undefined,
  );
  return database;
};

describe("opening a database", () => {
  it("says that a newer version created it", async () => {
    const database = await open();
    await sql`insert into kysely_migration (name, timestamp) values ('9999-later', '2026-01-01')`.execute(
      database.kysely,
    );
    await database.close();
    await expect(open()).rejects.toThrow(
      /^This database was created by a newer version of Toolhost, with the migrations 9999-later\. .*$/,
    );
  });
});

describe.skipIf(!isPostgres)("opening a database on a server", () => {
  const changed = (change: (url: URL) => void) => {
    const url = new URL(server?.url ?? "");
    url.password = password;
    change(url);
    return url.href;
  };

  it.each([
    ["an unknown user", (url: URL) => void (url.username = "no_one"), /user no_one\): .*"no_one"/],
    ["an unknown database", (url: URL) => void (url.pathname = "/none"), /"none" does not exist/],
    ["a closed port", (url: URL) => void (url.port = "1"), /:1 .*ECONNREFUSED/],
    ["an unknown host", (url: URL) => void (url.hostname = "a.invalid"), /a\.invalid:.*DNS\.$/],
    [
      "a server without TLS",
      (url: URL) => url.searchParams.set("sslmode", "verify-full"),
      /does not support SSL.*sslmode=disable/,
    ],
  ])("reports %s in one line without the password", async (_, change, expected) => {
    const error = await open(changed(change)).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      name: "OperatorError",
      message: expect.stringMatching(expected),
    });
    expect(String(error)).not.toMatch(new RegExp(`${password}|\n`));
  });

  it("names the right that a migration lacks", async () => {
    const role = `test_${randomBytes(8).toString("hex")}`;
    const empty = await createDatabase();
    const client = new pg.Client({ connectionString: empty?.url });
    await client.connect();
    try {
      await client.query(`create role ${role} login`);
      const url = new URL(empty?.url ?? "");
      url.username = role;
      await expect(open(url.href)).rejects.toThrow(
        /^The database could not be migrated: permission denied for schema public\. .*CREATE/,
      );
    } finally {
      await client.query(`drop role ${role}`);
      await client.end();
      await empty?.drop();
    }
  });
});

describe("opening a database on a server with TLS", () => {
  const certificate = testCertificate(["db.test", "127.0.0.1"]);
  let port: number;
  let authority: string;
  // Accepts the request for TLS of PostgreSQL's protocol, and no more.
  const secure = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", () => {
      socket.write("S");
      new TLSSocket(socket, { isServer: true, ...certificate }).on("error", () => undefined);
    });
  });
  beforeAll(async () => {
    authority = join(dataDir, "authority.pem");
    await writeFile(authority, certificate.cert);
    await new Promise<void>((resolve) => {
      secure.listen(0, "127.0.0.1", resolve);
    });
    ({ port } = secure.address() as AddressInfo);
  });
  afterAll(() => secure.close());

  it("says how to trust an unknown certificate authority", async () => {
    const url = `postgres://someone:${password}@localhost:${port}/db?sslmode=verify-full`;
    await expect(open(url)).rejects.toThrow(/certificate.*Set sslrootcert/);
  });

  it("says that a trusted certificate is for another name", async () => {
    const url = `postgres://someone:${password}@localhost:${port}/db?sslmode=verify-full&sslrootcert=${authority}`;
    await expect(open(url)).rejects.toThrow(/certificate.*Use the name in DATABASE_URL/);
  });
});

describe("describeProblem", () => {
  it.each([
    ["28P01", /Check the user and the password/],
    ["53300", /max_connections/],
    ["ETIMEDOUT", /firewall/],
    ["SELF_SIGNED_CERT_IN_CHAIN", /sslrootcert/],
    ["CERT_HAS_EXPIRED", /Renew the certificate/],
  ])("adds advice about %s", (code, expected) => {
    const error = Object.assign(new Error("it failed"), { code });
    expect(describeProblem(error)).toMatch(expected);
  });

  it("describes the first address of a name with several", () => {
    const error = new AggregateError([
      Object.assign(new Error("connect ECONNREFUSED ::1:5432"), { code: "ECONNREFUSED" }),
    ]);
    expect(describeProblem(error)).toMatch(/^connect ECONNREFUSED ::1:5432\. Check/);
  });
});
