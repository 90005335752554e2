import type { LackingCredential } from "@toolhost/contract";
import type { Redactor } from "@toolhost/sandbox";
import { connectAddress } from "#core/connections";
import type { Context } from "#core/context";
import { addAddress, exposeAddress, lookForCredentials } from "#core/credentials";
import type { Lack } from "#core/credentials";
import { ServiceError } from "#core/errors";
import { draftName, findRunnableTool, toolUrl } from "#core/tools";
import type { RunnableTool } from "#core/tools";

type Viewer = Parameters<typeof lookForCredentials>[1];

/**
 * Answers with what takes the values of the run's credentials out of a text. Throws `credentials_missing` before
 * there is a run, so that whoever asks can add or approve what it lacks and ask again.
 */
export async function checkCredentials(
  context: Context,
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
  context: Context,
  viewer: Viewer,
  toolName: string,
): Promise<LackingCredential[]> {
  const tool = await findRunnableTool(context, viewer, toolName);
  const { lacks } = await lookForCredentials(context, viewer, tool);
  return lacks.map((lack) => present(context, viewer, tool, lack));
}

function present(
  { config }: Context,
  { workspaceId }: Viewer,
  tool: RunnableTool,
  lack: Lack,
): LackingCredential {
  const { name, reason, owner } = lack;
  return {
    name,
    reason,
    ...(reason === "missing" ? {} : { owner }),
    ...(reason === "not_approved" ? { new: lack.new } : {}),
    connectUrl: connectUrl(config.baseUrl, workspaceId, tool, lack),
  };
}

/** What is lacking and who can do what about it, in words. */
export function describeLacks(lacks: readonly Lack[]): string {
  const missing = lacks.filter(({ reason }) => reason === "missing");
  const unconnected = lacks.filter(({ reason }) => reason === "not_connected");
  const held = lacks.filter(({ reason }) => reason === "not_approved");
  const hidden = lacks.filter(({ reason }) => reason === "not_exposable");
  const foreign = hidden.filter(({ isForeign }) => isForeign);
  const closed = hidden.filter(({ isForeign }) => !isForeign);
  const own = held.filter(({ owner }) => owner === "user");
  const shared = held.filter(({ owner }) => owner === "workspace");
  const newHosts = [
    ...new Set(
      held.flatMap(({ new: more }) => [
        ...more.credentials.flatMap(({ hosts }) => hosts),
        ...more.allowedHosts,
      ]),
    ),
  ];
  const exposed = [
    ...new Set(
      held.flatMap(({ new: { credentials } }) =>
        credentials.filter(({ expose }) => expose).map(({ name }) => name),
      ),
    ),
  ];
  return [
    missing.length === 0 ? "" : `The tool needs ${namesOf(missing)}. Add it, then run again.`,
    unconnected.length === 0
      ? ""
      : `${namesOf(unconnected)} has to be connected at its provider. Do so at its connectUrl, then run again.`,
    held.length === 0
      ? ""
      : `This version of the tool asks for more than was approved${newHosts.length === 0 ? "" : ` (${newHosts.join(", ")})`}.`,
    exposed.length === 0 ? "" : `Its code would see the value of ${exposed.join(", ")}.`,
    own.length === 0 ? "" : `Look at it and approve it for ${namesOf(own)}, then run again.`,
    foreign.length === 0
      ? ""
      : `The tool asks to see the value of ${namesOf(foreign)}, which tools of other workspaces never may.`,
    closed.length === 0
      ? ""
      : `The tool asks to see the value of ${namesOf(closed)}, which its owner has not allowed. Allow it only if you trust the tool's code, then run again.`,
    shared.length === 0
      ? ""
      : `An owner or admin has to approve it for the workspace's ${namesOf(shared)}.`,
  ]
    .filter((sentence) => sentence !== "")
    .join(" ");
}

function namesOf(lacks: readonly Lack[]): string {
  return lacks.map(({ name }) => name).join(", ");
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
    const tool = isDraft ? {} : { toolName, version };
    return addAddress(baseUrl, { name, workspaceId, ...tool });
  }
  const query = `owner=${owner}&workspace=${workspaceId}`;
  return isDraft
    ? `${toolUrl(baseUrl, draftName(id))}?approve&${query}`
    : `${toolUrl(baseUrl, toolName)}?approve=${version}&${query}`;
}
