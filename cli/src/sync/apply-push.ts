import { changesBetween, definitionOf, hashOf } from "../project/definition.ts";
import type { Journal } from "../project/journal.ts";
import { changeLock } from "../project/lock-file.ts";
import type { Session } from "../session.ts";
import { CliError } from "../terminal/cli-error.ts";
import { exitCodes } from "../terminal/exit-codes.ts";
import { createTool } from "./create-tool.ts";
import type { PushStep } from "./plan-push.ts";
import { deletionHeaders, publicationHeaders } from "./publication.ts";
import { isApiError, linkTo } from "./remote-tools.ts";
import type { RemoteTool } from "./remote-tools.ts";
import type { Entry, Survey } from "./survey.ts";

/** What a push did with one tool. */
export type PushResult = {
  action: "created" | "updated" | "archived" | "linked" | "unlinked" | "skipped";
  folder: string;
  name: string;
  version?: number;
  note?: string;
  /** Credentials that the tool does not get until their owner agrees. */
  approvals: readonly { credential: string; reason: string; connectUrl: string }[];
};

/** Carries out one step, and stores in the lock file what the server has then. */
export async function applyStep(
  survey: Survey,
  { kind, entry, note }: PushStep,
  { session, journal, isNew }: { session: Session; journal: Journal; isNew: boolean },
): Promise<PushResult | undefined> {
  const { project, client, repository } = survey;
  const { folder, local, link, remote } = entry;
  const base = { folder, approvals: [], ...(note === undefined ? {} : { note }) };
  switch (kind) {
    case "create": {
      if (local === undefined) return undefined;
      const created = await createTool({ project, client, journal, repository }, local, { isNew });
      return { ...base, action: "created", ...(await describe(client, created)) };
    }
    case "update": {
      const updated = await updateTool(survey, entry, session);
      return { ...base, action: "updated", ...(await describe(client, updated)) };
    }
    case "archive":
      if (link === undefined) return undefined;
      await archiveTool(survey, entry, link.name);
      return { ...base, action: "archived", name: link.name };
    case "relink":
      await relink(survey, entry);
      return {
        ...base,
        action: remote === undefined ? "unlinked" : "linked",
        name: remote?.name ?? link?.name ?? folder,
      };
    case "block":
      return undefined;
    default:
      return { ...base, action: "skipped", name: remote?.name ?? link?.name ?? folder };
  }
}

/** Archives the tool of a deleted folder, unless another version than the compared one is live by now. */
async function archiveTool(
  { project, client, repository }: Survey,
  { folder, remote }: Entry,
  name: string,
): Promise<void> {
  const headers = deletionHeaders(repository, folder);
  const condition = remote === undefined ? {} : { "if-match": `"${remote.version}"` };
  await client
    .request("DELETE /tools/{name}", { params: { name }, headers: { ...headers, ...condition } })
    .catch((error: unknown) => {
      throw raceError(error, folder) ?? error;
    });
  await changeLock(project.root, folder, undefined);
}

async function relink({ project, client, repository }: Survey, entry: Entry): Promise<void> {
  const { folder, local, remote, mayRecord } = entry;
  const isSame = local !== undefined && remote !== undefined;
  if (isSame && mayRecord) {
    const headers = await publicationHeaders(repository, local);
    await recordPublication(client, { ...remote, folder }, headers);
  }
  await changeLock(project.root, folder, isSame ? linkTo(remote, local.hash) : undefined);
}

/** Tells the server that the live version is the content of a commit, which creates no version. */
async function recordPublication(
  client: Survey["client"],
  { name, version, definition, folder }: RemoteTool & { folder: string },
  headers: Record<string, string>,
): Promise<void> {
  if (Object.keys(headers).length === 0) return;
  await client
    .request("PATCH /tools/{name}", {
      params: { name },
      body: { title: definition.title },
      headers: { ...headers, "if-match": `"${version}"` },
    })
    .catch((error: unknown) => {
      // Without the right to change the tool, it can still be linked.
      if (!isApiError(error, 403)) throw raceError(error, folder) ?? error;
    });
}

/**
 * Publishes the changes as the next version, unless another version than the compared one is live by now: the server checks it in
 * the same step (`If-Match`).
 */
async function updateTool(
  { project, client, repository }: Survey,
  { folder, local, remote }: Entry,
  { terminal }: Session,
): Promise<RemoteTool> {
  if (local === undefined || remote === undefined) throw new Error(`${folder} cannot be updated`);
  const waiting = terminal.wait(`Publishing ${folder}`);
  try {
    const detail = await client.request("PATCH /tools/{name}", {
      params: { name: remote.name },
      body: changesBetween(remote.definition, local.definition) as never,
      headers: {
        ...(await publicationHeaders(repository, local)),
        "if-match": `"${remote.version}"`,
      },
    });
    const definition = definitionOf(detail as never) ?? local.definition;
    const { name, version, updatedAt } = detail;
    const updated = { name, version, updatedAt, definition, hash: hashOf(definition) };
    await changeLock(project.root, folder, linkTo(updated, local.hash));
    return updated;
  } catch (error) {
    throw raceError(error, folder) ?? error;
  } finally {
    waiting.done();
  }
}

function raceError(error: unknown, folder: string): CliError | undefined {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code !== "precondition_failed") return undefined;
  return new CliError(
    `${folder} was changed on the server at the same moment. It was not pushed.`,
    {
      code: "conflict",
      exitCode: exitCodes.conflict,
      next: [`toolhost diff ${folder}`],
      cause: error,
    },
  );
}

/** The approvals that are missing are for the owner of the credentials to give, so they are only reported. */
async function describe(client: Survey["client"], { name, version, definition }: RemoteTool) {
  if (definition.credentials.length === 0) return { name, version };
  const { missing = [] } = await client.request("GET /tools/{name}/approvals", {
    params: { name },
  });
  const approvals = missing.map((one) => ({
    credential: one.name,
    reason: one.reason,
    connectUrl: one.connectUrl,
  }));
  return { name, version, approvals };
}
