import type { ReactNode } from "react";
import { locationOf } from "../definition/editor-location.ts";
import { useDraft } from "../draft-context.ts";
import { useGoToTab } from "../use-go-to-tab.ts";

/** What was typed and does not count, as it is not what belongs there yet. A press leads to it. */
export function InvalidFieldsNotice({ onGo }: { onGo: () => void }): ReactNode {
  const { state } = useDraft();
  const goToTab = useGoToTab();
  const found = Object.keys(state.texts).map((place) => ({ place, ...locationOf(`/${place}`) }));
  if (found.length === 0) return null;
  return (
    <div role="alert" className="grid gap-1 rounded-lg bg-warn-soft p-3 text-sm text-warn">
      <p>Something you typed is not finished. It is left out when you publish now:</p>
      <ul className="list-disc pl-5">
        {found.map(({ place, tab, words }) => (
          <li key={place}>
            <button
              type="button"
              className="cursor-pointer rounded-sm text-left underline"
              onClick={() => {
                onGo();
                goToTab(tab);
              }}
            >
              {words}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
