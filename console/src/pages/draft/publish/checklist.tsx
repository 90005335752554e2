import { useQuery } from "@tanstack/react-query";
import { CircleX, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { allItemsQuery, itemQuery, meQuery } from "#api/queries";
import { sourceOf, textAt } from "../definition/read-definition.ts";
import { useDraft } from "../draft-context.ts";
import { useCurrentResults } from "../examples/use-current-results.ts";
import { findTypeErrors } from "../editor/find-type-errors.ts";
import type { DraftTab } from "../search.ts";
import { useGoToTab } from "../use-go-to-tab.ts";
import { checkDraft } from "./check-draft.ts";
import type { CheckItem } from "./check-draft.ts";
import { messages as allMessages } from "./messages.ts";

const messages = allMessages.checklist;

/**
 * What speaks against publishing the open draft; undefined while that is loading. `visibility` is that of the live version.
 */
export function useChecklist(visibility = "workspace"): CheckItem[] | undefined {
  const { draft, definition } = useDraft();
  const { data: me } = useQuery(meQuery);
  const templates = useQuery({ ...itemQuery("/templates"), enabled: draft.toolName === null });
  const { data: known } = useQuery({
    ...allItemsQuery("/credentials"),
    enabled: me?.scopes.includes("credentials:write") === true,
  });
  const { last, isPending } = useCurrentResults();
  const typeErrors = findTypeErrors(`/drafts/${draft.id}/${sourceOf(definition).fileName}`);
  if (isPending || (draft.toolName === null && templates.isPending)) return undefined;
  return checkDraft({
    definition,
    isNewTool: draft.toolName === null,
    typeErrors,
    templates: (templates.data ?? []).map((one) => ({
      title: textAt(one.definition, "title"),
      description: textAt(one.definition, "description"),
    })),
    results: last,
    known,
    visibility,
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
