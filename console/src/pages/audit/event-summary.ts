import type { AuditEvent } from "@toolhost/contract";
import { messages } from "./messages.ts";

/** The details that can name the target, best first. */
const nameDetails = ["name", "toolName", "client", "chatUser"];
const isId = (text: string) => /^[0-9a-f]{8}-[0-9a-f-]{27}$/.test(text);

type SummarizedEvent = Pick<
  AuditEvent,
  "action" | "actor" | "target" | "details" | "workspaceId" | "hidden"
>;

/** One line about the target and what changed. It shows the target's ID only if the event has no name and no details. */
export function summarizeEvent(
  { action, actor, target, details, workspaceId, hidden }: SummarizedEvent,
  memberName: (userId: string) => string,
): string {
  if (hidden === true) return messages.summary.private;
  const isAboutMember = action.startsWith("member.");
  const scalars = Object.entries(details).flatMap(([name, value]) =>
    typeof value === "string" || typeof value === "number" || typeof value === "boolean"
      ? [[name, String(value)] as const]
      : [],
  );
  const values = new Map(scalars);
  const nameDetail = nameDetails.find((name) => values.has(name));
  const to = values.get("to");
  const member = isAboutMember && target !== actor.userId ? memberName(target) : undefined;
  const parts = [
    values.get(nameDetail ?? "") ?? member ?? (isAboutMember || isId(target) ? undefined : target),
    to === undefined ? undefined : messages.summary.to(memberName(to)),
    ...scalars
      .filter(([name, value]) => name !== nameDetail && name !== "to" && !isId(value))
      .map(([name, value]) => `${splitCamelCase(name)} ${value}`),
  ].filter((part) => part !== undefined);
  if (parts.length > 0) return parts.join(" · ");
  // The workspace as a target needs no mention.
  return target === workspaceId ? "" : target;
}

/** "runsDays" as "runs days". */
function splitCamelCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
