import type { ReactNode } from "react";
import { useEffect, useRef, useState } from "react";
import { Tab, TabList, TabPanel, Tabs as AriaTabs } from "react-aria-components";
import { LazyPart } from "./lazy-part.tsx";

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
      <TabList ref={row} aria-label={label} onPointerEnter={preload} className="ui-tabs mb-4">
        {tabs.map(({ id, label: text }) => (
          <Tab key={id} id={id} onFocus={preload} className="ui-tab">
            {text}
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

/** For a `TabList` that may overflow: scrolls it, but never the page, to the selected tab. */
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
