import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useState } from "react";
import {
  ComboBox,
  FieldError,
  Input,
  Label,
  ListBox,
  ListBoxItem,
  Popover,
  Text,
} from "react-aria-components";
import { itemQuery } from "#api/queries";
import { useDebouncedValue } from "#lib/use-debounced-value";
import { Initial } from "./initial.tsx";
import { messages as allMessages } from "./messages-tool.ts";

const messages = allMessages.picker;

const maxMatches = 20;
/** The entry for no tool in particular. Names of tools contain no space. */
const allId = " all";

type Entry = { id: string; title: string };

/** Chooses a tool by its title, or all tools (an empty name). Typing searches as the list of tools does. */
export function ToolPicker({
  label,
  hint,
  value,
  onChange,
  error,
}: {
  label: string;
  hint: string;
  /** The tool's name. */
  value: string;
  onChange: (name: string) => void;
  error: string | undefined;
}): ReactNode {
  // Undefined while the user has not typed, so that the field shows the title of the chosen tool.
  const [typed, setTyped] = useState<string>();
  const { data: chosen } = useQuery({
    ...itemQuery("/tools/{name}", { params: { name: value } }),
    enabled: value !== "",
  });
  const title = value === "" ? messages.all : (chosen?.title ?? value);
  const entries = useEntries(typed?.trim() ?? "");
  return (
    <ComboBox
      className="ui-field"
      menuTrigger="focus"
      items={entries}
      allowsEmptyCollection
      // Text that is not chosen from the list is dropped when the focus leaves the field.
      allowsCustomValue
      isInvalid={error !== undefined}
      inputValue={typed ?? title}
      onInputChange={setTyped}
      onSelectionChange={(id) => {
        if (id === null) return;
        onChange(id === allId ? "" : String(id));
        setTyped(undefined);
      }}
      onBlur={() => setTyped(undefined)}
    >
      <Label className="ui-label">{label}</Label>
      <span className="ui-select">
        <Input className="ui-input" onFocus={({ target }) => target.select()} />
      </span>
      <Text slot="description" className="ui-help">
        {hint}
      </Text>
      <FieldError className="ui-error">{error}</FieldError>
      <Popover className="ui-float max-h-72 w-(--trigger-width)">
        <ListBox<Entry>
          className="outline-none"
          renderEmptyState={() => <p className="p-2 text-sm text-soft">{messages.none}</p>}
        >
          {({ id, title: text }) => (
            <ListBoxItem id={id} textValue={text} className="ui-item">
              {id === allId ? null : <Initial name={id} title={text} className="small" />}
              <span className="min-w-0 truncate">{text}</span>
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </ComboBox>
  );
}

/** All tools by title, or those that best match the text. */
function useEntries(text: string): Entry[] {
  const q = useDebouncedValue(text);
  const all = useQuery({
    ...itemQuery("/tools/summaries", { query: { sort: "name", limit: 200 } }),
    enabled: q === "",
  });
  const found = useQuery({
    ...itemQuery("/skills/search", { query: { q, limit: maxMatches } }),
    enabled: q !== "",
    placeholderData: keepPreviousData,
  });
  const tools = q === "" ? all.data : found.data?.results[0]?.matches;
  const entries = (tools ?? []).map(({ name, title }) => ({ id: name, title }));
  return q === "" ? [{ id: allId, title: messages.all }, ...entries] : entries;
}
