import type { ErrorDetail } from "@toolhost/contract";
import type { ReactNode } from "react";
import { toSentence } from "#api/field-errors";
import type { DraftTab } from "../search.ts";
import { useGoToTab } from "../use-go-to-tab.ts";
import { locationOf } from "./editor-location.ts";

type Problem = Pick<ErrorDetail, "path" | "message"> & Partial<Pick<ErrorDetail, "line">>;

/** What keeps a definition from being a tool, each with where it is on the page; a press leads there. */
export function DefinitionProblems({
  problems,
  onGo,
}: {
  problems: readonly Partial<Problem>[];
  onGo?: () => void;
}): ReactNode {
  const goToTab = useGoToTab();
  const go = (tab: DraftTab) => {
    onGo?.();
    goToTab(tab);
  };
  return (
    <div role="alert" className="grid gap-2 rounded-xl border border-bad bg-bad-soft p-3 text-sm">
      <p className="font-medium">It is not a tool yet.</p>
      <ul className="grid gap-1">
        {problems.map(({ path = "", message = "", line }) => {
          const { tab, words } = locationOf(path);
          return (
            <li key={`${path} ${line} ${message}`} className="min-w-0 wrap-anywhere">
              <button
                type="button"
                className="mr-1 cursor-pointer rounded-sm text-left font-medium underline"
                onClick={() => go(tab)}
              >
                {line === undefined ? words : `${words}, line ${line}`}
              </button>
              {toSentence(message)}
            </li>
          );
        })}
      </ul>
    </div>
  );
}
