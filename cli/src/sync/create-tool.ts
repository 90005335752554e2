import { hash as digest, randomUUID } from "node:crypto";
import type { Client } from "@toolhost/client";
import { definitionOf, hashOf, parseDefinition } from "../project/definition.ts";
import { deletePending, readPending, savePending } from "../project/journal.ts";
import type { Journal, PendingCreation } from "../project/journal.ts";
import { listFolders, readLocalTool } from "../project/local-tools.ts";
import type { LocalTool } from "../project/local-tools.ts";
import { changeLock, readLock } from "../project/lock-file.ts";
import type { Project } from "../project/project.ts";
import type { Repository } from "../project/repository.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { publicationHeaders } from "./publication.ts";
import { getRemote, isApiError, linkTo } from "./remote-tools.ts";
import type { RemoteTool } from "./remote-tools.ts";

type Target = {
  project: Project;
  client: Client;
  journal: Journal;
  repository: Repository | undefined;
};

/**
 * Creates a tool so that it exists once, even if this process ends in between, or another clone pushes the same folder with the same
 * API key at the same time. With `isNew`, it is another tool than any before.
 */
export async function createTool(
  target: Target,
  local: LocalTool,
  { isNew }: { isNew: boolean },
): Promise<RemoteTool> {
  const { client, project } = target;
  const { workspace } = await client.request("GET /me");
  const shared = isNew ? undefined : await findSharedKey(target, workspace.id, local);
  const created = await createWithKey(target, workspace.id, local, shared ?? randomUUID());
  if (shared === undefined) return created;
  // An earlier push had the same key, and its tool may have been archived, or moved to another folder.
  const links = [...(await readLock(project.root))];
  const isElsewhere = links.some(
    ([folder, { name }]) => name === created.name && folder !== local.folder,
  );
  if (!isElsewhere && (await getRemote(client, created.name)) !== undefined) return created;
  return createWithKey(target, workspace.id, local, randomUUID());
}

/** The Idempotency-Key of all clones for the same content in the same folder, as a UUID v4. */
async function findSharedKey(
  { repository }: Target,
  workspaceId: string,
  { folder, hash }: LocalTool,
): Promise<string | undefined> {
  const origin = await repository?.findOrigin();
  if (repository === undefined || origin === undefined) return undefined;
  const subject = JSON.stringify([workspaceId, origin, repository.pathOf(folder), hash]);
  const text = digest("sha256", subject, "hex");
  const parts = [text.slice(0, 8), text.slice(8, 12), `4${text.slice(13, 16)}`];
  return [...parts, `8${text.slice(17, 20)}`, text.slice(20, 32)].join("-");
}

async function createWithKey(
  target: Target,
  workspaceId: string,
  local: LocalTool,
  key: string,
): Promise<RemoteTool> {
  const { journal } = target;
  await savePending(journal, local.folder, {
    key,
    startedAt: new Date().toISOString(),
    workspace: workspaceId,
    ...(journal.credential === undefined ? {} : { credential: journal.credential }),
    title: local.definition.title,
    hash: local.hash,
    definition: local.definition,
  });
  return sendCreation(target, local, key);
}

async function sendCreation(
  { project: { root }, client, journal, repository }: Target,
  local: LocalTool,
  key: string,
): Promise<RemoteTool> {
  const { folder, definition, hash } = local;
  try {
    const detail = await client.request("POST /tools", {
      body: definition as never,
      idempotencyKey: key,
      headers: await publicationHeaders(repository, local),
    });
    const stored = definitionOf(detail as never) ?? definition;
    const { name, version, updatedAt } = detail;
    const created = { name, version, updatedAt, definition: stored, hash: hashOf(stored) };
    await changeLock(root, folder, linkTo(created, hash));
    await deletePending(journal, folder);
    return created;
  } catch (error) {
    // The server rejected it, so there is nothing to finish. After a lost connection, there may be.
    const status = error instanceof Error && "status" in error ? Number(error.status) : 500;
    if (status < 500) await deletePending(journal, folder);
    throw error;
  }
}

/** Shorter than the time for which the server stores the responses of writes. */
const keyLifetimeMs = 20 * 3_600_000;

/**
 * Finishes creations that an earlier process did not, of the given folders, or of all if none is given. The server returns the same
 * tool for the same request with the same key. It knows the key only for a day and from the same API key: otherwise, a tool with the
 * content is looked for instead, and nothing is created here.
 */
export async function finishCreations(
  target: Target,
  folders: readonly string[],
  terminal: Terminal,
): Promise<void> {
  const { project, client, journal } = target;
  const pending = [...(await readPending(journal))].filter(
    ([folder]) => folders.length === 0 || folders.includes(folder),
  );
  if (pending.length === 0) return;
  const { workspace } = await client.request("GET /me");
  const existing = await listFolders(project);
  for (const [folder, creation] of pending) {
    if (creation.workspace !== workspace.id) continue;
    const lock = await readLock(project.root);
    const local = existing.includes(folder) ? await readLocalTool(project, folder) : undefined;
    if (lock.has(folder) || local === undefined) {
      await deletePending(journal, folder);
      continue;
    }
    terminal.note(`Finishing the push of ${folder} that was interrupted`);
    const isKnown =
      Date.now() - Date.parse(creation.startedAt) < keyLifetimeMs &&
      creation.credential !== undefined &&
      creation.credential === journal.credential;
    const sent = isKnown ? contentOf(creation, local) : undefined;
    if (sent === undefined) await adoptCreated(target, folder, creation);
    else await sendAgain(target, sent, creation.key);
  }
}

/** What the interrupted request contained. The folder may have changed since. */
function contentOf({ definition, hash }: PendingCreation, local: LocalTool): LocalTool | undefined {
  if (local.hash === hash) return local;
  const { folder } = local;
  return definition && { folder, definition: parseDefinition(definition, folder), hash };
}

/** The first request may still arrive, so a new key could create a second tool. */
async function sendAgain(target: Target, sent: LocalTool, key: string): Promise<void> {
  try {
    await sendCreation(target, sent, key);
  } catch (error) {
    // The service rejects the content, so the first request has created nothing.
    if (!isApiError(error, 400) && !isApiError(error, 422)) throw error;
  }
}

/** The clocks of this machine and the server may differ. */
const maxClockDifferenceMs = 5 * 60_000;

/** Links the folder to the tool that the interrupted creation has created, if there is one. */
async function adoptCreated(
  { project: { root }, client, journal }: Target,
  folder: string,
  { title, hash, startedAt }: PendingCreation,
): Promise<void> {
  const linked = new Set([...(await readLock(root)).values()].map(({ name }) => name));
  const earliest = Date.parse(startedAt) - maxClockDifferenceMs;
  for await (const tool of client.tools.list({ limit: 200 })) {
    if (tool.title !== title || tool.installed === true || linked.has(tool.name)) continue;
    const remote = await getRemote(client, tool.name);
    if (remote?.hash !== hash) continue;
    // An older tool is that of someone else who used the same template.
    const { createdAt } = await client.tools.get(tool.name);
    if (Date.parse(createdAt) < earliest) continue;
    await changeLock(root, folder, linkTo(remote, hash));
    break;
  }
  await deletePending(journal, folder);
}
