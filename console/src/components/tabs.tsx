import type { ReactNode } from "react";
import { useEffect, useRef, useState } from "react";
import { Tab, TabList, TabPanel, Tabs as AriaTabs } from "react-aria-components";
import { LazyPart } from "./lazy-part.tsx";

export type TabEntry<Id extends string> = {
  id: Id;
  label: string;
  content: ReactNode;
  /** Loads what the content is made of, where that comes by itself. Called often, and when it is there already. */
  preload?: (() => unknown) | undefined;
  /** Once shown it stays as it is while another one is looked at, such as a form that is filled in and a run that it shows. */
  isKept?: boolean;
};

/**
 * Tabs whose choice is the caller's, so that it can stand in the address. What they show is loaded as soon as somebody points
 * at one of them or gets there by keyboard, so that it is mostly there when it is chosen.
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
  const select = (key: unknown) => {
    const tab = tabs.find(({ id }) => id === key);
    if (tab !== undefined) onSelect(tab.id);
  };
  const preload = () => {
    for (const tab of tabs) tab.preload?.();
  };
  const [seen, setSeen] = useState<readonly string[]>([]);
  if (!seen.includes(selected)) setSeen([...seen, selected]);
  const row = useSelectedInSight(selected);
  return (
    <AriaTabs selectedKey={selected} onSelectionChange={select}>
      <TabList
        ref={row}
        aria-label={label}
        onPointerEnter={preload}
        className="mb-4 flex gap-1 overflow-x-auto border-b border-line"
      >
        {tabs.map(({ id, label: words }) => (
          <Tab
            key={id}
            id={id}
            onFocus={preload}
            className="-mb-px cursor-pointer border-b-2 border-transparent px-3 py-2 text-sm whitespace-nowrap text-soft outline-none hover:text-text data-focus-visible:rounded-md data-focus-visible:outline-2 data-focus-visible:-outline-offset-2 data-focus-visible:outline-strong data-selected:border-strong data-selected:text-text"
          >
            {words}
          </Tab>
        ))}
      </TabList>
      {tabs.map(({ id, content, isKept }) => (
        <TabPanel
          key={id}
          id={id}
          shouldForceMount={isKept === true && seen.includes(id)}
          className="outline-none data-inert:hidden"
        >
          <LazyPart lines={4}>{content}</LazyPart>
        </TabPanel>
      ))}
    </AriaTabs>
  );
}

/** For the row of a `TabList` that may be wider than its place: keeps the chosen tab in sight, and never moves the page. */
export function useSelectedInSight(selected: string) {
  const row = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const list = row.current;
    const tab = list?.querySelector<HTMLElement>(`[data-key="${CSS.escape(selected)}"]`);
    if (list === null || tab === null || tab === undefined) return;
    const before = tab.getBoundingClientRect().left - list.getBoundingClientRect().left;
    const beyond = before + tab.offsetWidth - list.clientWidth;
    if (before < 0) list.scrollLeft += before;
    else if (beyond > 0) list.scrollLeft += beyond;
  }, [selected]);
  return row;
}
