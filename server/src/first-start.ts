import { randomBytes } from "node:crypto";
import { existsSync, statSync } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { readStarterTools } from "@toolhost/starter-tools";
import { createToolInput } from "@toolhost/contract";
import { ConfigError } from "#config";
import type { Config } from "#config";
import { loadShippedBundles } from "#core/builds";
import { createApiKey, createPeople, findMemberships, hasSignIns } from "#core/identity";
import { createMailer, scopesOfRole } from "#core/kernel";
import type { Caller } from "#core/kernel";
import { createShippedTool } from "#core/catalog";
import type { AuthoringContext } from "#core/catalog";
import type { Validation } from "#core/validation";
import { databaseFile, isMigrated, migrate, openSqlite } from "#db";
import type { Database } from "#db";
import { systemClock } from "#lib/clock";
import { newId, randomToken } from "#lib/ids";
import type { Log } from "#lib/log";
import { writePrivateFile } from "#lib/private-file";
import { keyFiles } from "./encryption-key.ts";

/** The credentials that the first start creates, in the form of `first-run.json`. */
type FirstRun = {
  baseUrl: string;
  email: string;
  password: string;
  workspaceId: string;
  apiKey: string;
};

/** The same, with an example tool. */
export type FirstStart = FirstRun & {
  exampleTool: string;
  exampleInput: unknown;
  toolCount: number;
};

const ownerEmail = "owner@localhost";
const exampleSlug = "text-statistics";

/**
 * Creates the embedded database with its owner, workspace, starter tools and an API key, if it does not exist. The file is
 * renamed into place at the end, so the next start after an interrupted one is a first start again. Throws `ConfigError` if
 * the folder had a database, so that a lost one is not replaced by a new one.
 */
export async function makeFirstStart(
  config: Config,
  log: Log,
  validation: Validation,
): Promise<FirstStart | undefined> {
  if (config.DATABASE_URL !== undefined || hasDatabase(config)) return undefined;
  await mkdir(config.dataDir, { recursive: true, mode: 0o711 });
  const newFile = join(config.dataDir, "toolhost.db.new");
  await Promise.all(["", "-wal", "-shm"].map((suffix) => rm(newFile + suffix, { force: true })));
  const db = openSqlite(newFile);
  await migrate(db);
  const made = await fill(db, config, log, validation);
  await db.close();
  const { exampleTool: _, exampleInput: __, toolCount: ___, ...firstRun } = made;
  await writePrivateFile(firstRunFile(config), `${JSON.stringify(firstRun, null, 2)}\n`);
  await rename(newFile, databaseFile(config.dataDir));
  return made;
}

function firstRunFile({ dataDir }: Config): string {
  return join(dataDir, "first-run.json");
}

/** The file with the first account, if no user signed in yet: the first start may have ended before it printed the account. */
export async function findUnusedAccount(config: Config, db: Database): Promise<string | undefined> {
  const file = firstRunFile(config);
  return existsSync(file) && !(await hasSignIns(db)) ? file : undefined;
}

/** The key is created after the database is complete, which is never empty. */
function hasDatabase(config: Config): boolean {
  const file = databaseFile(config.dataDir);
  const key = keyFiles(config).file;
  const size = statSync(file, { throwIfNoEntry: false })?.size;
  if (size === undefined && !existsSync(key)) return false;
  if (size !== undefined && size > 0 && isMigrated(file)) return true;
  const state = size !== undefined ? "is empty" : `does not exist, although ${key} does`;
  throw new ConfigError(
    `The database ${file} ${state}. Restore it from a backup. To start a new installation, set DATA_DIR to an empty folder.`,
  );
}

async function fill(
  db: Database,
  config: Config,
  log: Log,
  validation: Validation,
): Promise<FirstStart> {
  // No user signs in during the first start, so no session is signed with it.
  const rootSecret = randomBytes(32);
  const mailer = createMailer(config, log);
  const people = createPeople({
    db,
    config,
    rootSecret,
    log,
    mailer,
    firstWorkspaceName: "Local",
  });
  const password = randomToken(12);
  const userId = await people.createPerson({ email: ownerEmail, name: "Owner", password });
  const [membership] = await findMemberships(db, userId);
  if (membership === undefined) throw new Error("The owner has no workspace");
  const caller: Caller = {
    userId,
    workspaceId: membership.workspace_id,
    role: "owner",
    scopes: scopesOfRole("owner"),
    actor: { userId },
    via: "console",
    requestId: newId(),
    ip: null,
  };
  const context = { config, db, log, clock: systemClock, validation };
  const tools = await installStarterTools(context, caller);
  const example = tools.find(({ slug }) => slug === exampleSlug) ?? tools[0];
  if (example === undefined) throw new Error("There are no starter tools");
  const { key } = await createApiKey(context, caller, {
    name: "First key",
    scopes: ["mcp:read", "mcp:execute"],
  });
  return {
    baseUrl: config.baseUrl,
    email: ownerEmail,
    password,
    workspaceId: caller.workspaceId,
    apiKey: key,
    exampleTool: example.name,
    exampleInput: example.input,
    toolCount: tools.length,
  };
}

type Installed = { slug: string; name: string; input: unknown };

async function installStarterTools(
  context: AuthoringContext,
  caller: Caller,
): Promise<Installed[]> {
  const installed: Installed[] = [];
  const bundles = await loadShippedBundles();
  for (const { slug, draft } of await readStarterTools()) {
    const parsed = createToolInput.parse(draft);
    const bundle = bundles.get(slug);
    if (bundle === undefined) throw new Error(`The starter tool ${slug} was not built`);
    const { name } = await createShippedTool(context, caller, parsed, bundle);
    installed.push({ slug, name, input: parsed.examples[0]?.input ?? {} });
  }
  return installed;
}
