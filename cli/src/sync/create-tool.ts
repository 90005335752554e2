import { randomUUID } from "node:crypto";
import type { Client } from "@toolhost/client";
import { definitionOf, hashOf } from "../project/definition.ts";
import { deletePending, readPending, savePending } from "../project/journal.ts";
import type { PendingCreation } from "../project/journal.ts";
import type { LocalTool } from "../project/local-tools.ts";
import { changeLock, readLock } from "../project/lock-file.ts";
import type { Project } from "../project/project.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { getRemote, linkTo } from "./survey.ts";
import type { RemoteTool } from "./survey.ts";

/** Creates a tool so that it exists once, even if this process ends in between. */
export async function createTool(
  project: Project,
  client: Client,
  { folder, definition, hash }: LocalTool,
): Promise<RemoteTool> {
  const { workspace } = await client.request("GET /me");
  const pending: PendingCreation = {
    key: randomUUID(),
    startedAt: new Date().toISOString(),
    workspace: workspace.id,
    hash,
    definition,
  };
  await savePending(project.root, folder, pending);
  return sendCreation(project, client, folder, pending);
}

async function sendCreation(
  { root }: Project,
  client: Client,
  folder: string,
  { key, definition, hash }: PendingCreation,
): Promise<RemoteTool> {
  try {
    const detail = await client.request("POST /tools", {
      body: definition as never,
      idempotencyKey: key,
    });
    const stored = definitionOf(detail as never) ?? definition;
    const { name, version } = detail;
    const created = { name, version, definition: stored, hash: hashOf(stored) };
    await changeLock(root, folder, linkTo(created, hash));
    await deletePending(root, folder);
    return created;
  } catch (error) {
    // The server rejected it, so there is nothing to finish. After a lost connection, there may be.
    const status = error instanceof Error && "status" in error ? Number(error.status) : 500;
    if (status < 500) await deletePending(root, folder);
    throw error;
  }
}

/** Shorter than the time for which the server stores the responses of writes. */
const keyLifetimeMs = 20 * 3_600_000;

/**
 * Finishes creations that an earlier process did not: the server returns the same tool for the same key. After a day it no longer
 * knows the key, so a tool with the same content is looked for instead.
 */
export async function finishCreations(
  project: Project,
  client: Client,
  terminal: Terminal,
): Promise<void> {
  const [pending, { workspace }] = await Promise.all([
    readPending(project.root),
    client.request("GET /me"),
  ]);
  for (const [folder, creation] of pending) {
    if (creation.workspace !== workspace.id) continue;
    const lock = await readLock(project.root);
    if (lock.has(folder)) {
      await deletePending(project.root, folder);
      continue;
    }
    terminal.note(`Finishing the push of ${folder} that was interrupted`);
    const isKnown = Date.now() - Date.parse(creation.startedAt) < keyLifetimeMs;
    if (isKnown) await sendCreation(project, client, folder, creation);
    else await adoptCreated(project, client, folder, creation);
  }
}

async function adoptCreated(
  { root }: Project,
  client: Client,
  folder: string,
  { definition, hash }: PendingCreation,
): Promise<void> {
  const linked = new Set([...(await readLock(root)).values()].map(({ name }) => name));
  for await (const { name, title } of client.tools.list({ limit: 200 })) {
    if (title !== definition.title || linked.has(name)) continue;
    const remote = await getRemote(client, name);
    if (remote?.hash !== hash) continue;
    await changeLock(root, folder, linkTo(remote, hash));
    break;
  }
  await deletePending(root, folder);
}
