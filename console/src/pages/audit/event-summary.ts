import type { AuditEvent } from "@toolhost/contract";
import { chatPlatform } from "#lib/chat-labels";
import { messages } from "./messages.ts";
import { summaries } from "./messages-summary.ts";
import type { EventFacts } from "./messages-summary.ts";

const isId = (text: string) => /^[0-9a-f]{8}-[0-9a-f-]{27}$/.test(text);
const known: Readonly<Record<string, (facts: EventFacts) => string>> = summaries;

type SummarizedEvent = Pick<
  AuditEvent,
  "action" | "actor" | "target" | "details" | "hidden" | "toolTitle"
>;

type Names = {
  /** The name of a user. */
  ofUser: (userId: string) => string;
  /** The email address of a pending invitation. */
  ofInvitation: (invitationId: string) => string | undefined;
};

/** One line about what the event changed, after the label of its action. */
export function summarizeEvent(event: SummarizedEvent, names: Names): string {
  const { action, actor, target, details, hidden, toolTitle } = event;
  if (hidden === true) return messages.summary.private;
  const detail = (name: string) => {
    if (name === "toolName" && toolTitle !== undefined) return toolTitle;
    const value = Object.hasOwn(details, name) ? details[name] : null;
    return value === null || typeof value === "object" ? undefined : String(value);
  };
  const to = detail("to");
  const userId = detail("userId");
  const platform = detail("platform");
  const isTool = action.startsWith("tool.") && toolTitle !== undefined;
  const shownTarget = isTool ? toolTitle : isId(target) ? messages.shortId(target) : target;
  return (
    known[action]?.({
      target: shownTarget,
      detail,
      member: target === actor.userId ? undefined : names.ofUser(target),
      owner: userId === undefined || userId === actor.userId ? undefined : names.ofUser(userId),
      recipient: to === undefined ? undefined : names.ofUser(to),
      invitee: names.ofInvitation(target),
      chat: platform === undefined ? undefined : chatPlatform(platform).team,
    }) ?? shownTarget
  );
}
