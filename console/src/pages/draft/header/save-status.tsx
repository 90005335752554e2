import { Check, CloudOff, LoaderCircle, TriangleAlert } from "lucide-react";
import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { useDraft } from "../draft-context.ts";
import type { DraftState } from "../store/draft-store.ts";

/** Whether all is saved, in words that are also read out. */
export function SaveStatusText(): ReactNode {
  const { state } = useDraft();
  const [Icon, words] = describe(state);
  return (
    <p role="status" className="flex items-center gap-1.5 text-sm text-soft">
      <Icon size={15} aria-hidden className="shrink-0" />
      {words}
    </p>
  );
}

function describe({ status, problem, isStoredLocally }: DraftState): [LucideIcon, string] {
  if (!isStoredLocally && status !== "saved")
    return [TriangleAlert, "Not saved, and this browser has no room for a copy"];
  switch (status) {
    case "saved":
      return [Check, "Saved"];
    case "waiting":
    case "saving":
      return [LoaderCircle, "Saving…"];
    case "offline":
      return [
        CloudOff,
        problem === undefined
          ? "Not saved: offline, kept in this browser"
          : `Not saved yet, trying again. Kept in this browser: ${problem}`,
      ];
    case "gone":
      return [TriangleAlert, "Ended elsewhere: nothing is saved any more"];
    case "conflict":
      return [TriangleAlert, "Not saved: changed elsewhere, kept in this browser"];
    case "refused":
      return [TriangleAlert, `Not saved, kept in this browser: ${problem ?? ""}`];
  }
}
