import type { KeyboardEvent, ReactNode } from "react";
import { useDeferredValue, useEffect, useId, useRef, useState } from "react";
import { classes } from "#lib/class-names";
import { LazyPart } from "./lazy-part.tsx";
import { TabPanel } from "./tab-panel.tsx";

export type TabEntry<Id extends string> = {
  id: Id;
  label: string;
  content: ReactNode;
  /** Loads the content's code ahead of time. Called often, also after it has loaded. */
  preload?: (() => unknown) | undefined;
  /** Whether the content stays mounted while another tab is selected, to keep a filled-in form or a running run. */
  isKept?: boolean;
};

/**
 * Controlled tabs, so that the selection can be part of the address. Hovering or focusing a tab preloads the content of all.
 */
export function Tabs<Id extends string>({
  label,
  tabs,
  selected,
  onSelect,
}: {
  label: string;
  tabs: readonly TabEntry<Id>[];
  selected: Id;
  onSelect: (id: Id) => void;
}): ReactNode {
  const group = useId();
  const [seen, setSeen] = useState<readonly string[]>([]);
  if (!seen.includes(selected)) setSeen([...seen, selected]);
  const current = tabs.find(({ id }) => id === selected);
  // Long contents take long to render: the row of tabs is painted first, over the unchanged contents of the previous tab.
  const painted = useDeferredValue(current);
  const shown = painted?.id === selected ? current : painted;
  return (
    <div>
      <TabList
        group={group}
        label={label}
        tabs={tabs}
        selected={selected}
        onSelect={onSelect}
        onApproach={() => {
          for (const tab of tabs) tab.preload?.();
        }}
        className="mb-4"
      />
      {tabs.map(({ id, content, isKept }) =>
        id === shown?.id || (isKept === true && seen.includes(id)) ? (
          <TabPanel key={id} group={group} id={id} isSelected={id === shown?.id}>
            <LazyPart lines={4}>{id === shown?.id ? shown.content : content}</LazyPart>
          </TabPanel>
        ) : null,
      )}
    </div>
  );
}

/** The row of tabs. The arrow keys, Home and End select a tab. `group` is common to the row and its panels. */
export function TabList<Id extends string>({
  group,
  label,
  tabs,
  selected,
  onSelect,
  onApproach,
  className,
}: {
  group: string;
  label: string;
  tabs: readonly Pick<TabEntry<Id>, "id" | "label">[];
  selected: Id;
  onSelect: (id: Id) => void;
  /** Called when the pointer or the focus reaches the tabs. */
  onApproach?: () => void;
  className: string;
}): ReactNode {
  const at = tabs.findIndex(({ id }) => id === selected);
  const row = useSelectedInSight(at);
  const selectByKey = (event: KeyboardEvent) => {
    const index = indexAfterKey(event.key, at, tabs.length);
    const tab = index === undefined ? undefined : tabs[index];
    if (index === undefined || tab === undefined || hasModifier(event)) return;
    event.preventDefault();
    row.current?.querySelectorAll<HTMLElement>("[role=tab]")[index]?.focus();
    if (tab.id !== selected) onSelect(tab.id);
  };
  return (
    <div
      ref={row}
      role="tablist"
      tabIndex={-1}
      aria-label={label}
      className={classes("ui-tabs", className)}
      onKeyDown={selectByKey}
      onPointerEnter={onApproach}
      onFocus={onApproach}
    >
      {tabs.map(({ id, label: text }) => {
        const isSelected = id === selected;
        return (
          <button
            key={id}
            type="button"
            role="tab"
            id={`${group}-tab-${id}`}
            aria-selected={isSelected}
            aria-controls={isSelected ? `${group}-panel-${id}` : undefined}
            tabIndex={isSelected ? 0 : -1}
            className="ui-tab"
            onClick={() => (isSelected ? undefined : onSelect(id))}
          >
            {text}
          </button>
        );
      })}
    </div>
  );
}

function hasModifier({ altKey, ctrlKey, metaKey, shiftKey }: KeyboardEvent): boolean {
  return altKey || ctrlKey || metaKey || shiftKey;
}

function indexAfterKey(key: string, at: number, count: number): number | undefined {
  if (key === "ArrowRight") return (at + 1) % count;
  if (key === "ArrowLeft") return (at - 1 + count) % count;
  if (key === "Home") return 0;
  return key === "End" ? count - 1 : undefined;
}

/** For a row of tabs that may overflow: scrolls it, but never the page, to the selected tab. */
function useSelectedInSight(index: number) {
  const row = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const list = row.current;
    const tab = list?.children[index];
    if (list === null || !(tab instanceof HTMLElement)) return;
    const before = tab.getBoundingClientRect().left - list.getBoundingClientRect().left;
    const beyond = before + tab.offsetWidth - list.clientWidth;
    if (before < 0) list.scrollLeft += before;
    else if (beyond > 0) list.scrollLeft += beyond;
  }, [index]);
  return row;
}
