import { ArrowDown, ArrowUp, Columns3 } from "lucide-react";
import type { CSSProperties, ReactNode } from "react";
import { useRef } from "react";
import { classes } from "#lib/class-names";
import { useStoredSet } from "#lib/use-stored-set";
import { useWindow } from "#lib/use-window";
import { IconButton } from "./button.tsx";
import { Menu } from "./menu.tsx";
import { ProblemNote, Skeleton } from "./page.tsx";
import { MoreButton } from "./paged-list.tsx";
import { messages } from "./messages-table.ts";
import type { Noun } from "./messages-table.ts";
import { shownColumns } from "./table-column.tsx";
import type { Column, Sorting } from "./table-column.tsx";
import { useNextPage } from "./use-paged-items.tsx";
import type { Items } from "./use-paged-items.tsx";
import { Name } from "./name.tsx";

type DataTableProps<Item> = {
  /** Under which the browser remembers the chosen columns. */
  id: string;
  /** The accessible name. */
  label: string;
  columns: readonly Column<Item>[];
  /** What the number of rows counts. */
  noun: Noun;
  found: Items<Item>;
  idOf: (item: Item) => string;
  /** Shown in place of an empty table. */
  empty: ReactNode;
  /** The number of all items, if it is known. */
  total?: { count: number; isExact: boolean } | undefined;
  sorting?: Sorting | undefined;
  /** Which columns `onSort` accepts. */
  sortable?: readonly string[];
  onSort?: (sorting: Sorting) => void;
};

const rowHeight = 37;

/** A table that renders the rows near the window. On a phone its rows are stacked. */
export function DataTable<Item>(props: DataTableProps<Item>): ReactNode {
  const { id, label, columns, noun, found, idOf, empty, total, sorting } = props;
  const { items, error, hasNextPage, isOld } = found;
  const optional = columns.filter(({ isOptional }) => isOptional === true);
  const [hidden, toggle] = useStoredSet(
    `toolhost-columns-${id}`,
    optional.map((column) => column.id),
  );
  const bodyRef = useRef<HTMLTableSectionElement>(null);
  const keys = items.map(idOf);
  const { start, end, before, after } = useWindow({
    keys,
    itemHeight: rowHeight,
    container: bodyRef,
  });
  useNextPage(found, end);
  if (found.isPending) return <Skeleton lines={6} />;
  if (error !== null && items.length === 0)
    return <ProblemNote error={error} onRetry={found.retry} />;
  if (items.length === 0) return empty;
  const shown = shownColumns(columns, items, hidden);
  const isComplete = !hasNextPage && total === undefined;
  const counted = isComplete ? { count: items.length, isExact: true } : total;
  const style: CSSProperties = { gridTemplateColumns: shown.map(({ width }) => width).join(" ") };
  return (
    <div className="grid min-w-0 grid-cols-1 gap-2">
      <div className="flex min-h-7 items-center justify-between gap-2 text-sm text-soft">
        <span role="status">
          {counted === undefined ? "" : messages.total(counted.count, counted.isExact, noun)}
        </span>
        <ColumnMenu columns={columns} hidden={hidden} onToggle={toggle} />
      </div>
      <table
        aria-label={label}
        aria-busy={isOld}
        aria-rowcount={counted?.isExact === true ? counted.count + 1 : -1}
        className={classes("ui-card ui-table", isOld && "opacity-60")}
        style={style}
      >
        <thead>
          <tr aria-rowindex={1}>
            {shown.map((column) => (
              <Heading key={column.id} column={column} sorting={sorting} table={props} />
            ))}
          </tr>
        </thead>
        <tbody ref={bodyRef} style={{ paddingTop: before, paddingBottom: after }}>
          {items.slice(start, end).map((item, at) => (
            <tr key={idOf(item)} data-key={idOf(item)} aria-rowindex={start + at + 2}>
              {shown.map((column) => (
                <Cell key={column.id} column={column} item={item} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {hasNextPage ? <MoreButton found={found} /> : null}
    </div>
  );
}

function Cell<Item>({
  column: { label, cell, phone = "below", isEnd, isLabeled = false },
  item,
}: {
  column: Column<Item>;
  item: Item;
}): ReactNode {
  const content = cell(item);
  const isEmpty = content === null || content === "";
  const hasLabel = isLabeled && !isEmpty;
  return (
    <td data-phone={phone} data-end={isEnd}>
      {hasLabel ? <span className="mr-1 text-soft sm:hidden">{messages.label(label)}</span> : null}
      {typeof content === "string" && !isEmpty ? <Name>{content}</Name> : content}
    </td>
  );
}

function Heading<Item>({
  column: { id, label, isEnd, sortBy },
  sorting,
  table: { sortable, onSort },
}: {
  column: Column<Item>;
  sorting: Sorting | undefined;
  table: Pick<DataTableProps<Item>, "sortable" | "onSort">;
}): ReactNode {
  const isSorted = sorting?.column === id;
  const isDescending = isSorted && sorting.isDescending;
  const mayByColumn =
    onSort !== undefined && (sortBy !== undefined || sortable?.includes(id) === true);
  const Arrow = isDescending ? ArrowDown : ArrowUp;
  return (
    <th
      scope="col"
      data-end={isEnd}
      {...(isSorted ? { "aria-sort": isDescending ? "descending" : "ascending" } : {})}
    >
      {mayByColumn ? (
        <button
          type="button"
          className="ui-sort"
          onClick={() => onSort({ column: id, isDescending: isSorted && !isDescending })}
        >
          {label}
          {isSorted ? <Arrow size={12} aria-hidden /> : null}
        </button>
      ) : label === "" ? (
        <span className="sr-only">{messages.actions}</span>
      ) : (
        label
      )}
    </th>
  );
}

/** Chooses the columns. The first one and those without a label stay. */
function ColumnMenu<Item>({
  columns,
  hidden,
  onToggle,
}: {
  columns: readonly Column<Item>[];
  hidden: ReadonlySet<string>;
  onToggle: (id: string) => void;
}): ReactNode {
  const choices = columns.filter(({ phone, id }) => phone !== "title" && id !== "actions");
  return (
    <Menu
      label={messages.columns}
      selectedIds={choices.flatMap(({ id }) => (hidden.has(id) ? [] : [id]))}
      trigger={
        <IconButton label={messages.columns} isSmall className="max-sm:hidden!">
          <Columns3 size={15} aria-hidden />
        </IconButton>
      }
      entries={choices.map(({ id, label }) => ({ id, label, onAction: () => onToggle(id) }))}
    />
  );
}
