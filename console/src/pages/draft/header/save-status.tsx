import { Check, CloudOff, LoaderCircle, TriangleAlert } from "lucide-react";
import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { useDraft } from "../draft-context.ts";
import { messages as allMessages } from "../messages.ts";
import type { DraftState } from "../store/draft-store.ts";

const messages = allMessages.saveStatus;

/** Shows the save status and announces changes to screen readers. */
export function SaveStatusText(): ReactNode {
  const { state } = useDraft();
  const [Icon, label] = describe(state);
  return (
    <p role="status" className="flex items-center gap-1.5 text-sm text-soft">
      <Icon size={15} aria-hidden className="shrink-0" />
      {label}
    </p>
  );
}

function describe({ status, problem, isStoredLocally }: DraftState): [LucideIcon, string] {
  if (!isStoredLocally && status !== "saved") return [TriangleAlert, messages.notStored];
  switch (status) {
    case "saved":
      return [Check, messages.saved];
    case "waiting":
    case "saving":
      return [LoaderCircle, messages.saving];
    case "offline":
      return [CloudOff, problem === undefined ? messages.offline : messages.retrying(problem)];
    case "ended":
      return [TriangleAlert, messages.ended];
    case "conflict":
      return [TriangleAlert, messages.conflict];
    case "refused":
      return [TriangleAlert, messages.refused(problem ?? "")];
  }
}
