import type { MissingCredential } from "@toolhost/contract";
import type { Redactor } from "@toolhost/sandbox";
import { addAddress, connectAddress, exposeAddress, lookForCredentials } from "#core/vault";
import type { RunsContext } from "./context.ts";
import type { Lack } from "#core/vault";
import { ServiceError } from "#core/kernel";
import { draftName, findRunnableTool, toolUrl } from "#core/catalog";
import type { RunnableTool } from "#core/catalog";
import { describeLacks } from "./describe-lacks.ts";

type Viewer = Parameters<typeof lookForCredentials>[1];

/**
 * Answers with what takes the values of the run's credentials out of a text. Throws `credentials_missing` before
 * there is a run, so that whoever asks can add or approve what it lacks and ask again.
 */
export async function checkCredentials(
  context: RunsContext,
  caller: Viewer,
  tool: RunnableTool,
): Promise<Redactor> {
  const { lacks, redact } = await lookForCredentials(context, caller, tool);
  if (lacks.length === 0) return redact;
  const missing = lacks.map((lack) => present(context, caller, tool, lack));
  throw new ServiceError("credentials_missing", describeLacks(lacks), { extra: { missing } });
}

/** What a run of a tool's live version could not have now; nothing when it could run. Throws `tool_not_found`. */
export async function findMissingCredentials(
  context: RunsContext,
  viewer: Viewer,
  toolName: string,
): Promise<MissingCredential[]> {
  const tool = await findRunnableTool(context, viewer, toolName);
  const { lacks } = await lookForCredentials(context, viewer, tool);
  return lacks.map((lack) => present(context, viewer, tool, lack));
}

/** The same; undefined while a provider that does not answer keeps it from being known. */
export async function findKnownLacks(
  context: RunsContext,
  viewer: Viewer,
  toolName: string,
): Promise<MissingCredential[] | undefined> {
  try {
    return await findMissingCredentials(context, viewer, toolName);
  } catch (error) {
    if (error instanceof ServiceError && error.code === "unavailable") return undefined;
    throw error;
  }
}

function present(
  { config }: RunsContext,
  { workspaceId }: Viewer,
  tool: RunnableTool,
  lack: Lack,
): MissingCredential {
  const { name, reason, owner } = lack;
  return {
    name,
    reason,
    ...(reason === "missing" ? {} : { owner }),
    ...(reason === "not_approved" ? { new: lack.new } : {}),
    connectUrl: connectUrl(config.baseUrl, workspaceId, tool, lack),
  };
}

function connectUrl(
  baseUrl: string,
  workspaceId: string,
  { id, name: toolName, version, draft }: RunnableTool,
  lack: Lack,
): string {
  const { name, owner, reason, isForeign, credentialId } = lack;
  const isDraft = draft !== undefined;
  if (credentialId !== undefined) {
    const approve = isDraft ? undefined : { tool: toolName, version };
    return connectAddress(baseUrl, credentialId, approve);
  }
  if (reason === "not_exposable") {
    // Nobody can allow that to a tool of another workspace.
    if (isForeign) return toolUrl(baseUrl, toolName);
    return exposeAddress(baseUrl, { name, workspaceId, owner });
  }
  if (reason !== "not_approved") {
    const tool = isDraft ? { draftId: id } : { toolName, version };
    return addAddress(baseUrl, { name, workspaceId, ...tool });
  }
  const query = `owner=${owner}&workspace=${workspaceId}`;
  return isDraft
    ? `${toolUrl(baseUrl, draftName(id))}?approve&${query}`
    : `${toolUrl(baseUrl, toolName)}?approve=${version}&${query}`;
}
