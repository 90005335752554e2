import type { ImportResource } from "@toolhost/contract";
import type { ReactNode } from "react";
import { SearchField } from "#components/search-field";
import { SelectField } from "#components/select-field";
import { itemMessages as messages } from "./messages.ts";
import { itemMethods, itemStates } from "./search.ts";
import type { ImportSearch } from "./search.ts";

const anyTag = "";
const any = "any" as const;

/** The filters of the list of items, which are stored in the URL. */
export function ItemFilters({
  shown: { kind, tags },
  search: { q = "", tag, state, method },
  onChange,
}: {
  shown: ImportResource;
  search: ImportSearch;
  onChange: (change: ImportSearch) => void;
}): ReactNode {
  const tagChoices = tags.map(({ name, itemCount }) => ({
    id: name,
    label: messages.tagCount(name, itemCount),
  }));
  // The address can name a tag that the document no longer has.
  const isUnknown = tag !== undefined && tags.every(({ name }) => name !== tag);
  return (
    <div role="search" aria-label={messages.filters} className="flex flex-wrap gap-2">
      <SearchField
        label={messages.search[kind]}
        placeholder={messages.placeholder}
        value={q}
        onChange={(typed) => onChange({ q: typed })}
        hasShortcut
        className="flex-1 basis-64"
      />
      {tagChoices.length === 0 && !isUnknown ? null : (
        <SelectField
          label={messages.tag}
          isLabelHidden
          className="max-w-full min-w-40"
          value={tag ?? anyTag}
          choices={[
            { id: anyTag, label: messages.anyTag },
            ...(isUnknown ? [{ id: tag, label: tag }] : []),
            ...tagChoices,
          ]}
          onChange={(name) => onChange({ tag: name === anyTag ? undefined : name })}
        />
      )}
      <SelectField
        label={messages.state}
        isLabelHidden
        className="min-w-40"
        value={state ?? any}
        choices={([any, ...itemStates] as const).map((id) => ({ id, label: messages.states[id] }))}
        onChange={(id) => onChange({ state: id === any ? undefined : id })}
      />
      {kind === "mcp" ? null : (
        <SelectField
          label={messages.method}
          isLabelHidden
          className="min-w-32"
          value={method ?? any}
          choices={([any, ...itemMethods] as const).map((id) => ({
            id,
            label: id === any ? messages.anyMethod : id,
          }))}
          onChange={(id) => onChange({ method: id === any ? undefined : id })}
        />
      )}
    </div>
  );
}
