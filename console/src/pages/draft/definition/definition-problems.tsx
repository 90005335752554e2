import type { ErrorDetail } from "@toolhost/contract";
import type { ReactNode } from "react";
import { toSentence } from "#api/field-errors";
import type { DraftTab } from "../search.ts";
import { useGoToTab } from "../use-go-to-tab.ts";
import { locationOf } from "./editor-location.ts";
import { messages as allMessages } from "./messages.ts";

const messages = allMessages.problems;

type Problem = Pick<ErrorDetail, "path" | "message"> & Partial<Pick<ErrorDetail, "line">>;

/** The errors of a definition. Each links to the tab where it can be fixed. */
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
      <p className="font-medium">{messages.title}</p>
      <ul className="grid gap-1">
        {problems.map(({ path = "", message = "", line }) => {
          const { tab, label } = locationOf(path);
          return (
            <li key={`${path} ${line} ${message}`} className="min-w-0 wrap-anywhere">
              <button
                type="button"
                className="mr-1 cursor-pointer rounded-sm text-left font-medium underline"
                onClick={() => go(tab)}
              >
                {line === undefined ? label : messages.line(label, line)}
              </button>
              {toSentence(message)}
            </li>
          );
        })}
      </ul>
    </div>
  );
}
