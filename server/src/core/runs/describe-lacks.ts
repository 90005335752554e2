import type { ApprovalNeeds } from "@toolhost/contract";
import { joinNeeds } from "#core/approvals";
import type { Lack } from "#core/credentials";

/** What is lacking and who can do what about it, in words. */
export function describeLacks(lacks: readonly Lack[]): string {
  const of = (reason: Lack["reason"]) => lacks.filter((lack) => lack.reason === reason);
  const missing = of("missing");
  const unconnected = of("not_connected");
  const held = of("not_approved");
  const own = held.filter(({ owner }) => owner === "user");
  const shared = held.filter(({ owner }) => owner === "workspace");
  const foreign = of("not_exposable").filter(({ isForeign }) => isForeign);
  const closed = of("not_exposable").filter(({ isForeign }) => !isForeign);
  return [
    missing.length > 0 && `The tool needs ${namesOf(missing)}. Add it, then run again.`,
    unconnected.length > 0 &&
      `${namesOf(unconnected)} has to be connected at its provider. Do so at its connectUrl, then run again.`,
    held.length > 0 && describeHeld(held),
    own.length > 0 && `Review and approve it for ${namesOf(own)}, then run again.`,
    shared.length > 0 &&
      `An owner or admin has to approve it for the workspace's ${namesOf(shared)}.`,
    foreign.length > 0 &&
      `The tool asks to read the value of ${namesOf(foreign)}, which tools of other workspaces never may.`,
    closed.length > 0 &&
      `The tool asks to read the value of ${namesOf(closed)}, which its owner has not allowed. Allow it only if you trust the tool's code, then run again.`,
  ]
    .filter((sentence) => sentence !== false)
    .join(" ");
}

function describeHeld(held: readonly Lack[]): string {
  const asked = describeNeeds(joinNeeds(held.map((lack) => lack.new)));
  if (held.some(({ before }) => before === "less")) {
    return `This version of the tool asks for more than was approved: ${asked}.`;
  }
  return held.some(({ before }) => before === "withdrawn")
    ? `The approval of the tool was withdrawn. It asks for: ${asked}.`
    : `The tool needs approval. It asks for: ${asked}.`;
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

function namesOf(lacks: readonly Lack[]): string {
  return lacks.map(({ name }) => name).join(", ");
}
