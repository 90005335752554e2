import type { AuditEvent } from "@toolhost/contract";
import { humanizeKey } from "@toolhost/tool-schema";
import { ownValue } from "#lib/own-value";
import { messages } from "./messages.ts";

const actions: Readonly<Record<string, string>> = messages.actions;
const outcomes: Readonly<Record<string, string>> = messages.outcomes;

/** The label of an action; an unknown one is its own label. */
export function actionLabel(action: string): string {
  return ownValue(actions, action) ?? action;
}

/** The label of an outcome. That of a failed run is its error code. */
export function outcomeLabel(outcome: string): string {
  return ownValue(outcomes, outcome) ?? humanizeKey(outcome);
}

export function sourceLabel(via: AuditEvent["via"]): string {
  return messages.sources[via];
}

/** The label of what an event records. */
export function eventLabel({ action, details }: Pick<AuditEvent, "action" | "details">): string {
  const isDraft = action === "run.create" && details["draftId"] !== undefined;
  return isDraft ? messages.draftRun : actionLabel(action);
}

/** The actions to filter by, sorted by label. Includes the selected one even if it is unknown. */
export function actionChoices(selected: string | undefined): { id: string; label: string }[] {
  const known = Object.keys(actions);
  const all = selected === undefined || known.includes(selected) ? known : [...known, selected];
  return all
    .map((id) => ({ id, label: actionLabel(id) }))
    .toSorted((one, other) => one.label.localeCompare(other.label));
}
