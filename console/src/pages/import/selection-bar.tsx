import type { ReactNode } from "react";
import { Button } from "#components/button";
import { formatBytes } from "#lib/format";
import { itemMessages } from "./messages.ts";
import { sizeOf } from "./selection.ts";
import type { Selection } from "./selection.ts";

const messages = itemMessages.bar;

/** What is selected, and what can be done with it. It stays in view while the list scrolls. */
export function SelectionBar({
  selection,
  isSelecting,
  isAllSelected,
  selectedFirst,
  total,
  onSelectAll,
  onClear,
  onCreate,
}: {
  selection: Selection;
  isSelecting: boolean;
  isAllSelected: boolean;
  /** How many items were read to select all that match, if more match. */
  selectedFirst: number | undefined;
  /** How many items there are, if all match. */
  total: number | undefined;
  onSelectAll: () => void;
  onClear: () => void;
  onCreate: (publish: boolean) => void;
}): ReactNode {
  const count = selection.size;
  return (
    <section
      aria-label={messages.label}
      className="sticky top-16 z-20 flex flex-wrap items-center justify-between gap-2 rounded-xl border border-line bg-paper px-3 py-2 md:top-2"
    >
      <p role="status" className="text-sm">
        {count === 0 ? messages.hint : messages.selected(count, formatBytes(sizeOf(selection)))}
        {selectedFirst === undefined ? null : (
          <strong className="block font-medium">{messages.onlyFirst(selectedFirst, total)}</strong>
        )}
      </p>
      <div className="flex flex-wrap gap-2">
        {count === 0 || isAllSelected ? null : (
          <Button look="quiet" onPress={onClear}>
            {messages.clear}
          </Button>
        )}
        {/* One button, so that it keeps the focus. */}
        <Button
          look="quiet"
          isPending={isSelecting}
          onPress={isAllSelected ? onClear : onSelectAll}
        >
          {isAllSelected ? messages.clear : selectLabel(selectedFirst, total)}
        </Button>
        {count === 0 ? null : (
          <>
            <Button onPress={() => onCreate(false)}>{messages.drafts}</Button>
            <Button look="primary" onPress={() => onCreate(true)}>
              {messages.publish}
            </Button>
          </>
        )}
      </div>
    </section>
  );
}

function selectLabel(selectedFirst: number | undefined, total: number | undefined): string {
  if (selectedFirst !== undefined) return messages.selectRest(total);
  return total === undefined ? messages.selectAllMatches : messages.selectAll;
}
