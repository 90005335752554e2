import type { AuditEvent } from "@toolhost/contract";

/** Details that name what was acted on, the best first. */
const names = ["name", "toolName", "client", "chatUser"];
const isId = (text: string) => /^[0-9a-f]{8}-[0-9a-f-]{27}$/.test(text);

type Subject = Pick<
  AuditEvent,
  "action" | "actor" | "target" | "details" | "workspaceId" | "hidden"
>;

/**
 * What was acted on and how, in one line: by its name where the event tells one, and by its id only where there is nothing
 * else to say. `memberName` puts names to people.
 */
export function summarizeEvent(
  { action, actor, target, details, workspaceId, hidden }: Subject,
  memberName: (userId: string) => string,
): string {
  if (hidden === true) return "Private";
  const isPerson = action.startsWith("member.");
  const scalars = Object.entries(details).flatMap(([name, value]) =>
    typeof value === "string" || typeof value === "number" || typeof value === "boolean"
      ? [[name, String(value)] as const]
      : [],
  );
  const told = new Map(scalars);
  const naming = names.find((name) => told.has(name));
  const to = told.get("to");
  const person = isPerson && target !== actor.userId ? memberName(target) : undefined;
  const parts = [
    told.get(naming ?? "") ?? person ?? (isPerson || isId(target) ? undefined : target),
    to === undefined ? undefined : `to ${memberName(to)}`,
    ...scalars
      .filter(([name, value]) => name !== naming && name !== "to" && !isId(value))
      .map(([name, value]) => `${splitCamelCase(name)} ${value}`),
  ].filter((part) => part !== undefined);
  if (parts.length > 0) return parts.join(" · ");
  // What was done to the workspace as a whole.
  return target === workspaceId ? "" : target;
}

/** "runsDays" as "runs days". */
function splitCamelCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
