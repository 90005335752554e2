import type { ApprovalNeeds, MissingCredential } from "@toolhost/contract";
import type { Redactor } from "@toolhost/sandbox";
import { draftName, findRunnableTool, joinNeeds, toolUrl } from "#core/catalog";
import type { RunnableTool } from "#core/catalog";
import { ServiceError } from "#core/kernel";
import { addAddress, connectAddress, exposeAddress, findRunCredentials } from "#core/vault";
import type { FoundCredentials, UnavailableCredential } from "#core/vault";
import type { RunsContext } from "./context.ts";

type Viewer = Parameters<typeof findRunCredentials>[1];

/**
 * Returns the credentials that a run will use, and a redactor for their values. Throws `credentials_missing` when it could not use
 * one, so that the caller can add, connect or approve it before a run is created.
 */
export async function checkCredentials(
  context: RunsContext,
  caller: Viewer,
  tool: RunnableTool,
): Promise<{ redact: Redactor; found?: FoundCredentials }> {
  const { missing, ...rest } = await findRunCredentials(context, caller, tool);
  if (missing.length === 0) return rest;
  throw new ServiceError("credentials_missing", describeMissing(tool, missing), {
    extra: { missing: missing.map((credential) => present(context, caller, tool, credential)) },
  });
}

/** The credentials that a run of a tool's current version could not use now. Throws `tool_not_found`. */
export async function findMissingCredentials(
  context: RunsContext,
  viewer: Viewer,
  toolName: string,
): Promise<MissingCredential[]> {
  const tool = await findRunnableTool(context, viewer, toolName);
  const { missing } = await findRunCredentials(context, viewer, tool);
  return missing.map((credential) => present(context, viewer, tool, credential));
}

/** Like {@link findMissingCredentials}, but undefined while a provider is unreachable. */
export async function tryFindMissingCredentials(
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
  credential: UnavailableCredential,
): MissingCredential {
  const { name, reason, owner } = credential;
  return {
    name,
    reason,
    ...(reason === "missing" ? {} : { owner }),
    ...(reason === "not_approved" ? { new: credential.new } : {}),
    connectUrl: connectUrl(config.baseUrl, workspaceId, tool, credential),
  };
}

function connectUrl(
  baseUrl: string,
  workspaceId: string,
  { id, name: toolName, version, draft }: RunnableTool,
  { name, owner, reason, isForeign, credentialId }: UnavailableCredential,
): string {
  const isDraft = draft !== undefined;
  if (credentialId !== undefined) {
    const approve = isDraft ? undefined : { tool: toolName, version };
    return connectAddress(baseUrl, credentialId, approve);
  }
  if (reason === "not_exposable") {
    // Tools of other workspaces are never allowed to read a value, so there is nothing to change.
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

/** Describes which credentials a run of a tool could not use, and who can fix that. */
export function describeMissing(
  { name: toolName, draft }: Pick<RunnableTool, "name" | "draft">,
  missing: readonly UnavailableCredential[],
): string {
  const notFound = missing.filter(({ reason }) => reason === "missing");
  const notConnected = missing.filter(({ reason }) => reason === "not_connected");
  const notApproved = missing.filter(({ reason }) => reason === "not_approved");
  const own = notApproved.filter(({ owner }) => owner === "user");
  const shared = notApproved.filter(({ owner }) => owner === "workspace");
  const notExposable = missing.filter(({ reason }) => reason === "not_exposable");
  const foreign = notExposable.filter(({ isForeign }) => isForeign);
  const closed = notExposable.filter(({ isForeign }) => !isForeign);
  return [
    notFound.length > 0 &&
      `${draft === undefined ? toolName : "This draft"} needs ${namesOf(notFound)}. Add ${notFound.length === 1 ? "it" : "them"}, then run the tool again.`,
    notConnected.length > 0 &&
      `${namesOf(notConnected)} is not connected. Open its connectUrl to connect it, then run the tool again.`,
    ...describeApprovals(toolName, notApproved),
    own.length > 0 && `Review and approve this for ${namesOf(own)}, then run the tool again.`,
    shared.length > 0 &&
      `An owner or admin must approve this for the workspace's ${namesOf(shared)}.`,
    foreign.length > 0 &&
      `${toolName} reads the value of ${namesOf(foreign)}, which tools from other workspaces are not allowed to do.`,
    closed.length > 0 &&
      `${toolName} reads the value of ${namesOf(closed)}, which its owner has not allowed. Allow it only if you trust the tool's code, then run the tool again.`,
  ]
    .filter((sentence) => sentence !== false)
    .join(" ");
}

const leads = {
  less: (toolName: string) => `This version of ${toolName} requests more than was approved:`,
  withdrawn: (toolName: string) => `The approval of ${toolName} was withdrawn. It requests:`,
  none: (toolName: string) => `${toolName} needs approval. It requests:`,
} as const;

/** One sentence for each previous state of approval: the user and the workspace may have decided differently. */
function describeApprovals(toolName: string, missing: readonly UnavailableCredential[]): string[] {
  return (["less", "withdrawn", "none"] as const).flatMap((before) => {
    const same = missing.filter((credential) => (credential.before ?? "none") === before);
    if (same.length === 0) return [];
    const needs = joinNeeds(same.map((credential) => credential.new));
    return `${leads[before](toolName)} ${describeNeeds(needs)}.`;
  });
}

function describeNeeds({ credentials, allowedHosts }: ApprovalNeeds): string {
  const sent = credentials
    .filter(({ hosts }) => hosts.length > 0)
    .map(({ name, hosts }) =>
      hosts.includes("*")
        ? `${name} for every host that it allows`
        : `${name} for ${hosts.join(", ")}`,
    );
  const read = credentials.filter(({ expose }) => expose).map(({ name }) => `the value of ${name}`);
  const reached = allowedHosts.length === 0 ? [] : [`access to ${allowedHosts.join(", ")}`];
  return [...sent, ...read, ...reached].join("; ");
}

function namesOf(missing: readonly UnavailableCredential[]): string {
  return missing.map(({ name }) => name).join(", ");
}
