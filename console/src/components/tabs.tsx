import type { ReactNode } from "react";
import { Tab, TabList, TabPanel, Tabs as AriaTabs } from "react-aria-components";

export type TabEntry = { id: string; label: string; content: ReactNode };

/** Tabs whose choice is the caller's, so that it can stand in the address. */
export function Tabs({
  label,
  tabs,
  selected,
  onSelect,
}: {
  label: string;
  tabs: readonly TabEntry[];
  selected: string;
  onSelect: (id: string) => void;
}): ReactNode {
  return (
    <AriaTabs selectedKey={selected} onSelectionChange={(key) => onSelect(String(key))}>
      <TabList aria-label={label} className="mb-4 flex gap-1 overflow-x-auto border-b border-line">
        {tabs.map(({ id, label: words }) => (
          <Tab
            key={id}
            id={id}
            className="-mb-px cursor-pointer border-b-2 border-transparent px-3 py-2 text-sm whitespace-nowrap text-soft outline-none hover:text-text data-focus-visible:rounded-md data-focus-visible:outline-2 data-focus-visible:-outline-offset-2 data-focus-visible:outline-strong data-selected:border-strong data-selected:text-text"
          >
            {words}
          </Tab>
        ))}
      </TabList>
      {tabs.map(({ id, content }) => (
        <TabPanel key={id} id={id} className="outline-none">
          {content}
        </TabPanel>
      ))}
    </AriaTabs>
  );
}
