import type { Preferences } from "@toolhost/contract";
import { ListFilter, X } from "lucide-react";
import type { ReactNode } from "react";
import { useState } from "react";
import { classes } from "#lib/class-names";
import { Button } from "./button.tsx";
import { messages } from "./messages-table.ts";
import { SavedViews } from "./saved-views.tsx";
import { SearchField } from "./search-field.tsx";
import { SelectField } from "./select-field.tsx";

const any = "any";

/** The search and the filters above a table. A phone shows the filters on demand, so that the first row is in sight. */
export function FilterBar({
  page,
  label,
  searchLabel,
  searchPlaceholder,
  search,
  onChange,
  onReplace,
  children,
}: {
  page: NonNullable<Preferences["views"][number]["page"]>;
  label: string;
  searchLabel: string;
  searchPlaceholder: string;
  search: Readonly<Record<string, string | undefined>>;
  onChange: (q: string) => void;
  /** Sets all filters at once. */
  onReplace: (filters: Record<string, string>) => void;
  children: ReactNode;
}): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const { q = "", ...rest } = search;
  const filters = Object.fromEntries(
    Object.entries(rest).filter((entry): entry is [string, string] => Boolean(entry[1])),
  );
  const count = Object.keys(filters).filter((name) => name !== "sort").length;
  const all = q.trim() === "" ? filters : { ...filters, q: q.trim() };
  return (
    <div role="search" aria-label={label} className="flex min-w-0 flex-wrap items-center gap-2">
      <SearchField
        label={searchLabel}
        placeholder={searchPlaceholder}
        value={q}
        onChange={onChange}
        hasShortcut
        className="flex-1 basis-48 sm:basis-40"
      />
      <Button className="sm:hidden" aria-expanded={isOpen} onPress={() => setOpen(!isOpen)}>
        <ListFilter size={15} aria-hidden />
        {messages.filters(count)}
      </Button>
      <div
        className={classes(
          "w-full grid-cols-2 gap-2 sm:contents",
          isOpen ? "grid" : "max-sm:hidden",
        )}
      >
        {children}
      </div>
      {count === 0 && q === "" ? null : (
        <Button look="quiet" onPress={() => onReplace({})}>
          <X size={15} aria-hidden />
          {messages.clear}
        </Button>
      )}
      <SavedViews page={page} filters={all} onOpen={onReplace} />
    </div>
  );
}

/** A filter with a value of a few. A value in the address that is none of them is shown as it is. */
export function FilterSelect({
  label,
  all,
  choices,
  value,
  onChange,
}: {
  label: string;
  /** The label of no filter. */
  all: string;
  choices: readonly { id: string; label: string }[];
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}): ReactNode {
  const isKnown = value === undefined || choices.some(({ id }) => id === value);
  return (
    <SelectField
      label={label}
      isLabelHidden
      className="min-w-0 sm:w-34"
      value={value ?? any}
      choices={[
        { id: any, label: all },
        ...choices,
        ...(isKnown ? [] : [{ id: value, label: value }]),
      ]}
      onChange={(id) => onChange(id === any ? undefined : id)}
    />
  );
}
