import { Link, useNavigate } from "@tanstack/react-router";
import { ChevronRight } from "lucide-react";
import type { ReactNode } from "react";
import { useEffect, useRef, useState } from "react";
import { SearchField } from "#components/search-field";
import { classes } from "#lib/class-names";
import { findOperations } from "./document.ts";
import type { Operation } from "./document.ts";
import { MethodLabel } from "./method-label.tsx";
import { messages as allMessages } from "./messages.ts";

const messages = allMessages.list;

type ListProps = {
  operations: readonly Operation[];
  selected: Operation | undefined;
  q: string;
};

/** All operations by tag, with a search. A group is open if it contains the selected operation, or during a search. */
export function OperationList({ operations, selected, q }: ListProps): ReactNode {
  const navigate = useNavigate({ from: "/reference" });
  const groups = findOperations(operations, q);
  const count = [...groups.values()].reduce((sum, { length }) => sum + length, 0);
  return (
    <>
      <SearchField
        label={messages.search}
        placeholder={messages.placeholder}
        value={q}
        hasShortcut
        onChange={(text) =>
          void navigate({
            search: (before) => ({ ...before, q: text }),
            replace: true,
            resetScroll: false,
          })
        }
      />
      <p role="status" className={q === "" ? "sr-only" : "text-sm text-soft"}>
        {count === 0 ? messages.none : messages.found(count)}
      </p>
      <nav aria-label={messages.label}>
        <ul className="grid gap-0.5">
          {[...groups].map(([tag, members]) => (
            <Group
              key={tag}
              tag={tag === "" ? allMessages.untagged : tag}
              {...{ members, selected }}
              isSearch={q !== ""}
            />
          ))}
        </ul>
      </nav>
    </>
  );
}

type GroupProps = {
  tag: string;
  members: readonly Operation[];
  selected: Operation | undefined;
  isSearch: boolean;
};

function Group({ tag, members, selected, isSearch }: GroupProps): ReactNode {
  const hasSelected = selected !== undefined && members.includes(selected);
  const [isOpen, setOpen] = useState(hasSelected);
  const [before, setBefore] = useState(selected);
  if (before !== selected) {
    setBefore(selected);
    if (hasSelected) setOpen(true);
  }
  const isShown = isOpen || isSearch;
  return (
    <li>
      <button
        type="button"
        aria-expanded={isShown}
        className="flex min-h-(--control) w-full items-center gap-1.5 rounded-lg px-2 text-left text-sm font-medium hover:bg-raised"
        onClick={() => setOpen(!isOpen)}
      >
        <ChevronRight
          size={14}
          aria-hidden
          className={classes("shrink-0 text-soft", isShown && "rotate-90")}
        />
        <span className="min-w-0 flex-1">{tag}</span>
        <span className="text-xs font-normal text-soft">{members.length}</span>
      </button>
      {isShown ? (
        <ul className="mb-1 grid gap-0.5">
          {members.map((operation) => (
            <OperationLink
              key={operation.id}
              operation={operation}
              isSelected={operation === selected}
            />
          ))}
        </ul>
      ) : null}
    </li>
  );
}

function OperationLink({
  operation: { id, method, summary },
  isSelected,
}: {
  operation: Operation;
  isSelected: boolean;
}): ReactNode {
  const ref = useRef<HTMLLIElement>(null);
  useEffect(() => {
    // Scrolls the list, but never the page.
    const list = ref.current?.closest("[data-scrolls]");
    if (!isSelected || list === null || list === undefined) return;
    const { top = 0, bottom = 0 } = ref.current?.getBoundingClientRect() ?? {};
    const box = list.getBoundingClientRect();
    if (top < box.top || bottom > box.bottom) list.scrollTop += top - box.top - box.height / 3;
  }, [isSelected]);
  return (
    <li ref={ref}>
      <Link
        to="/reference"
        search={(before) => ({ q: before.q, operation: id })}
        aria-current={isSelected ? "page" : undefined}
        className="flex items-baseline gap-2 rounded-lg py-1 pr-2 pl-7 text-sm text-soft hover:bg-raised hover:text-text aria-[current]:bg-strong-soft aria-[current]:text-text"
      >
        <span className="min-w-0 flex-1">{summary}</span>
        <MethodLabel method={method} />
      </Link>
    </li>
  );
}
