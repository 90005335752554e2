import type { Redactor } from "@toolhost/sandbox";
import { connectAddress } from "#core/connections";
import type { Context } from "#core/context";
import { addAddress, lookForCredentials } from "#core/credentials";
import type { Lack } from "#core/credentials";
import { ServiceError } from "#core/errors";
import { draftName, toolUrl } from "#core/tools";
import type { RunnableTool } from "#core/tools";

type Asker = Parameters<typeof lookForCredentials>[1];

/**
 * Answers with what takes the values of the run's credentials out of a text. Throws `credentials_missing` before
 * there is a run, so that whoever asks can add or approve what it lacks and ask again. `isPersonal`: a person
 * asks, and not another tool in their name, which consents to nothing.
 */
export async function checkCredentials(
  context: Context,
  caller: Asker,
  tool: RunnableTool,
  isPersonal: boolean,
): Promise<Redactor> {
  const { lacks, redact } = await lookForCredentials(context, caller, tool, isPersonal);
  if (lacks.length === 0) return redact;
  const missing = lacks.map((lack) => ({
    name: lack.name,
    reason: lack.reason,
    ...(lack.reason === "missing" ? {} : { owner: lack.owner }),
    ...(lack.reason === "not_approved" ? { new: lack.new } : {}),
    connectUrl: connectUrl(context.config.baseUrl, caller.workspaceId, tool, lack),
  }));
  throw new ServiceError("credentials_missing", describeLacks(lacks), { extra: { missing } });
}

/** What is lacking and who can do what about it, in words. */
export function describeLacks(lacks: readonly Lack[]): string {
  const missing = lacks.filter(({ reason }) => reason === "missing");
  const unconnected = lacks.filter(({ reason }) => reason === "not_connected");
  const held = lacks.filter(({ reason }) => reason === "not_approved");
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
  return [
    missing.length === 0 ? "" : `The tool needs ${namesOf(missing)}. Add it, then run again.`,
    unconnected.length === 0
      ? ""
      : `${namesOf(unconnected)} has to be connected at its provider. Do so at its connectUrl, then run again.`,
    held.length === 0
      ? ""
      : `This version of the tool asks for more than was approved${newHosts.length === 0 ? "" : ` (${newHosts.join(", ")})`}.`,
    own.length === 0 ? "" : `Look at it and approve it for ${namesOf(own)}, then run again.`,
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
  if (lack.credentialId !== undefined) {
    return connectAddress(baseUrl, lack.credentialId);
  }
  if (lack.reason !== "not_approved") {
    return addAddress(baseUrl, {
      name: lack.name,
      workspaceId,
      toolName: draft?.toolId === null ? undefined : toolName,
    });
  }
  // A draft is approved by its author's saving it.
  return draft === undefined
    ? `${toolUrl(baseUrl, toolName)}?approve=${version}&owner=${lack.owner}&workspace=${workspaceId}`
    : toolUrl(baseUrl, draftName(id));
}
