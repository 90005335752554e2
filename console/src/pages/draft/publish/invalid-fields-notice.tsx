import type { ReactNode } from "react";
import { locationOf } from "../definition/editor-location.ts";
import { useDraft } from "../draft-context.ts";
import { useGoToTab } from "../use-go-to-tab.ts";
import { messages } from "./messages.ts";

/** Lists the fields with invalid text, which publishing leaves out. Each links to its tab. */
export function InvalidFieldsNotice({ onGo }: { onGo: () => void }): ReactNode {
  const { state } = useDraft();
  const goToTab = useGoToTab();
  const found = Object.keys(state.texts).map((path) => ({ path, ...locationOf(`/${path}`) }));
  if (found.length === 0) return null;
  return (
    <div role="alert" className="grid gap-1 rounded-lg bg-warn-soft p-3 text-sm text-warn">
      <p>{messages.invalidFields.title}</p>
      <ul className="list-disc pl-5">
        {found.map(({ path, tab, label }) => (
          <li key={path}>
            <button
              type="button"
              className="cursor-pointer rounded-sm text-left underline"
              onClick={() => {
                onGo();
                goToTab(tab);
              }}
            >
              {label}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
