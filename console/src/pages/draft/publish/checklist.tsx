import { useQuery } from "@tanstack/react-query";
import { CircleX, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { itemQuery } from "#api/queries";
import { sourceOf, textAt } from "../definition/read-definition.ts";
import { useDraft } from "../draft-context.ts";
import { findTypeErrors } from "../editor/find-type-errors.ts";
import type { DraftTab } from "../search.ts";
import { useGoToTab } from "../use-go-to-tab.ts";
import { checkDraft } from "./check-draft.ts";
import type { CheckItem } from "./check-draft.ts";
import { messages as allMessages } from "./messages.ts";

const messages = allMessages.checklist;

/** What speaks against publishing the open draft; undefined while that is loading. */
export function useChecklist(): CheckItem[] | undefined {
  const { draft, definition, state } = useDraft();
  const templates = useQuery({ ...itemQuery("/templates"), enabled: draft.toolName === null });
  const history = useQuery(itemQuery("/drafts/{id}/example-results", { params: { id: draft.id } }));
  const typeErrors = findTypeErrors(`/drafts/${draft.id}/${sourceOf(definition).fileName}`);
  if (history.isPending || (draft.toolName === null && templates.isPending)) return undefined;
  const [last] = history.data ?? [];
  const isCurrent = last?.revision === state.revision && state.status === "saved";
  return checkDraft({
    definition,
    isNewTool: draft.toolName === null,
    typeErrors,
    templates: (templates.data ?? []).map((one) => ({
      title: textAt(one.definition, "title"),
      description: textAt(one.definition, "description"),
    })),
    results: isCurrent ? last : undefined,
  });
}

/** The reasons not to publish yet. Each links to the tab where it can be changed. */
export function Checklist({
  items,
  onGo,
}: {
  items: readonly CheckItem[];
  onGo: () => void;
}): ReactNode {
  const goToTab = useGoToTab();
  const go = (tab: DraftTab) => {
    onGo();
    goToTab(tab);
  };
  if (items.length === 0) return null;
  return (
    <section aria-label={messages.title} className="grid gap-2">
      <h3 className="font-medium">{messages.title}</h3>
      <ul className="grid gap-1.5 text-sm">
        {items.map(({ id, level, message, tab }) => {
          const isBlocked = level === "blocked";
          const Icon = isBlocked ? CircleX : TriangleAlert;
          return (
            <li key={id} className="flex items-start gap-2">
              <Icon
                size={16}
                aria-label={isBlocked ? messages.blocked : messages.warning}
                className={isBlocked ? "mt-0.5 shrink-0 text-bad" : "mt-0.5 shrink-0 text-warn"}
              />
              <span className="min-w-0 wrap-anywhere">
                {message}{" "}
                <button
                  type="button"
                  className="cursor-pointer rounded-sm font-medium underline"
                  onClick={() => go(tab)}
                >
                  {messages.open[tab]}
                </button>
              </span>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
