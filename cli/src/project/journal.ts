import { hash } from "node:crypto";
import { readdir, readFile, realpath, rm } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { isRecord, toJsonFile } from "../json.ts";
import { isFolderName } from "./folder-name.ts";
import { isMissing, writeAtomic } from "./write-atomic.ts";

/**
 * A tool that is being created. It is stored before the request is sent, and deleted after the lock file has the tool's name. So if
 * the process ends in between, the next push sends the same request with the same Idempotency-Key, and the server creates no
 * second tool.
 */
export type PendingCreation = {
  /** The Idempotency-Key. */
  key: string;
  startedAt: string;
  workspace: string;
  /** Identifies the API key, since an Idempotency-Key belongs to one. Undefined for a sign-in, whose tokens change. */
  credential?: string;
  title: string;
  /** Of the folder's content. */
  hash: string;
  /** The body of the request. Undefined in files of earlier versions. */
  definition?: Record<string, unknown>;
};

/** Where the creations of a project at an address are stored, and what identifies the API key of this process. */
export type Journal = { place: string; credential: string | undefined };

type Environment = Readonly<Record<string, string | undefined>>;

/** Opens the journal. It is outside of the project, whose files can come from others. */
export async function openJournal(
  env: Environment,
  root: string,
  address: string,
): Promise<Journal> {
  const state = env["XDG_STATE_HOME"] || join(env["HOME"] || homedir(), ".local", "state");
  const project = shortHash(JSON.stringify([await realpath(root), address]));
  const apiKey = env["TOOLHOST_API_KEY"];
  return {
    place: join(state, "toolhost", "pending", project),
    credential: apiKey === undefined || apiKey === "" ? undefined : shortHash(apiKey),
  };
}

const shortHash = (text: string) => hash("sha256", text, "hex").slice(0, 32);
const fileOf = ({ place }: Journal, folder: string) => join(place, `${folder}.json`);

export async function savePending(journal: Journal, folder: string, pending: PendingCreation) {
  await writeAtomic(fileOf(journal, folder), toJsonFile(pending), 0o600);
}

export async function deletePending(journal: Journal, folder: string): Promise<void> {
  await rm(fileOf(journal, folder), { force: true });
}

/** The tools whose creation was interrupted, by folder. Deletes files that are not valid. */
export async function readPending(journal: Journal): Promise<Map<string, PendingCreation>> {
  const files = await readdir(journal.place).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw error;
  });
  const found = new Map<string, PendingCreation>();
  for (const file of files) {
    const folder = /^(.+)\.json$/.exec(file)?.[1] ?? "";
    if (!isFolderName(folder)) continue;
    const pending = parsePending(await readFile(fileOf(journal, folder), "utf8"));
    if (pending === undefined) await deletePending(journal, folder);
    else found.set(folder, pending);
  }
  return found;
}

const uuid = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/;
const maxAgeMs = 30 * 24 * 3_600_000;
/** A clock may have been set back. */
const maxAheadMs = 3_600_000;

function parsePending(text: string): PendingCreation | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const entry = isRecord(value) ? value : {};
  const { key, startedAt, workspace, credential, title, hash: content, definition } = entry;
  const isValid =
    typeof key === "string" &&
    uuid.test(key) &&
    typeof startedAt === "string" &&
    typeof workspace === "string" &&
    (credential === undefined || typeof credential === "string") &&
    typeof title === "string" &&
    (definition === undefined || isRecord(definition)) &&
    typeof content === "string";
  if (!isValid) return undefined;
  const age = Date.now() - Date.parse(startedAt);
  if (!(age < maxAgeMs && age > -maxAheadMs)) return undefined;
  return {
    key,
    startedAt,
    workspace,
    title,
    hash: content,
    ...(credential === undefined ? {} : { credential }),
    ...(definition === undefined ? {} : { definition }),
  };
}
