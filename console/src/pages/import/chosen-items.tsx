import type { ImportItem } from "@toolhost/contract";
import type { ReactNode } from "react";
import { ItemKey } from "./item-row.tsx";
import { itemMessages } from "./messages.ts";
import { Name } from "#components/name";

const messages = itemMessages.create;
/** More titles are not edited one by one. */
const maxEdited = 100;
const maxTitle = 100;

export type Titles = Readonly<Record<string, string>>;

/** Lists what becomes a tool, so that it is reviewed, and lets the user change the titles. */
export function ChosenItems({
  items,
  titles,
  onChange,
  isOpen,
}: {
  items: readonly ImportItem[];
  /** By key, of those that the user changed. */
  titles: Titles;
  onChange: (titles: Titles) => void;
  isOpen: boolean;
}): ReactNode {
  return (
    <details open={isOpen} className="rounded-lg border border-line p-3">
      <summary className="cursor-pointer text-sm font-medium">
        {messages.items(items.length)}
      </summary>
      <ul className="mt-3 grid max-h-72 grid-cols-1 gap-3 overflow-auto p-0.5">
        {items.map(({ key, title }) => (
          <li key={key} className="min-w-0">
            {items.length > maxEdited ? (
              <p className="text-sm wrap-anywhere">
                <Name>{title}</Name>
              </p>
            ) : (
              <input
                className="ui-input"
                aria-label={messages.titleOf(key)}
                required
                maxLength={maxTitle}
                value={titles[key] ?? title}
                onChange={({ target }) => onChange({ ...titles, [key]: target.value })}
              />
            )}
            {key === title ? null : (
              <p className="mt-0.5 font-mono text-xs wrap-anywhere text-soft">
                <ItemKey itemKey={key} />
              </p>
            )}
          </li>
        ))}
      </ul>
    </details>
  );
}

/** The titles that differ from those of the items, for a request. */
export function changedTitles(items: readonly ImportItem[], titles: Titles): Titles {
  return Object.fromEntries(
    items.flatMap(({ key, title }) => {
      const typed = titles[key]?.trim();
      return typed === undefined || typed === "" || typed === title ? [] : [[key, typed]];
    }),
  );
}
