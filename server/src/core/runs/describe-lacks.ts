import type { ApprovalNeeds } from "@toolhost/contract";
import { joinNeeds } from "#core/catalog";
import type { Lack } from "#core/vault";

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
    ...describeHeld(held),
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

const leads = {
  less: "This version of the tool asks for more than was approved:",
  withdrawn: "The approval of the tool was withdrawn. It asks for:",
  none: "The tool needs approval. It asks for:",
} as const;

/** One sentence for each state that approvals were in: the person and the workspace may have decided differently. */
function describeHeld(held: readonly Lack[]): string[] {
  return (["less", "withdrawn", "none"] as const).flatMap((before) => {
    const same = held.filter((lack) => (lack.before ?? "none") === before);
    if (same.length === 0) return [];
    return `${leads[before]} ${describeNeeds(joinNeeds(same.map((lack) => lack.new)))}.`;
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

function namesOf(lacks: readonly Lack[]): string {
  return lacks.map(({ name }) => name).join(", ");
}
