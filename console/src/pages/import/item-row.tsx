import type { ImportItem } from "@toolhost/contract";
import type { ReactNode } from "react";
import { Badge } from "#components/badges";
import { LinkButton } from "#components/button";
import { Checkbox } from "#components/fields";
import { classes } from "#lib/class-names";
import { formatBytes } from "#lib/format";
import { ChangeBadge } from "./change-badge.tsx";
import { itemMessages as messages } from "./messages.ts";
import { isSelectable } from "./selection.ts";
import { Name } from "#components/name";

type Props = {
  item: ImportItem;
  isSelected: boolean;
  /** Undefined if the user cannot create tools. */
  onSelect: ((isSelected: boolean) => void) | undefined;
  onTag: (tag: string) => void;
};

const deletion = "DELETE ";
/** The width of the mark and gap of a checkbox. */
const indent = "pl-[calc(var(--mark)+0.5rem)]";

/** An operation or tool. All its texts are untrusted. */
export function ItemRow({ item, isSelected, onSelect, onTag }: Props): ReactNode {
  const { title, description, problem } = item;
  const name = <ItemName item={item} />;
  return (
    <div className="flex flex-wrap items-start gap-x-3 gap-y-1 px-4 py-3">
      <div className="min-w-0 flex-1 basis-60">
        {onSelect === undefined || !isSelectable(item) ? (
          <div className={classes(onSelect !== undefined && indent, "text-sm")}>{name}</div>
        ) : (
          <Checkbox isSelected={isSelected} onChange={onSelect}>
            {name}
          </Checkbox>
        )}
        <div className={classes(onSelect !== undefined && indent)}>
          {description === "" || description === title ? null : (
            <p className="line-clamp-2 text-sm text-soft">
              <bdi>{description}</bdi>
            </p>
          )}
          {problem === null ? null : <p className="text-sm wrap-anywhere text-bad">{problem}</p>}
          <Tags item={item} onTag={onTag} />
        </div>
      </div>
      <div className="ml-auto flex items-center gap-2">
        {problem === null ? (
          <span className="text-xs whitespace-nowrap text-soft">
            {messages.size(formatBytes(item.schemaBytes))}
          </span>
        ) : null}
        <ItemLink item={item} />
      </div>
    </div>
  );
}

function ItemName({ item }: { item: ImportItem }): ReactNode {
  const { key, title } = item;
  return (
    <>
      <span className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium">
        <span className="min-w-0 wrap-anywhere">
          <Name>{title}</Name>
        </span>
        <StateBadge item={item} />
      </span>
      {key === title ? null : (
        <span className="block font-mono text-xs wrap-anywhere text-soft">
          <ItemKey itemKey={key} />
        </span>
      )}
    </>
  );
}

/** The key of an item. Methods that delete stand out while items are selected. */
export function ItemKey({ itemKey }: { itemKey: string }): ReactNode {
  const isDeletion = itemKey.startsWith(deletion);
  return (
    <bdi>
      {isDeletion ? <span className="font-semibold text-bad">{deletion}</span> : null}
      {isDeletion ? itemKey.slice(deletion.length) : itemKey}
    </bdi>
  );
}

function StateBadge({
  item: { isOnHold, isChanged, isNew, toolName, draftId },
}: {
  item: ImportItem;
}): ReactNode {
  const { marks } = messages;
  if (isOnHold) return <Badge tone="warn">{marks.onHold}</Badge>;
  if (isChanged) return <ChangeBadge kind="changed" />;
  if (isNew) return <Badge tone="strong">{marks.isNew}</Badge>;
  return toolName === null && draftId !== null ? <Badge>{marks.draft}</Badge> : null;
}

function ItemLink({ item: { title, toolName, draftId } }: { item: ImportItem }): ReactNode {
  if (toolName !== null) {
    return (
      <LinkButton to="/tools/$name" params={{ name: toolName }} aria-label={messages.toolOf(title)}>
        {messages.tool}
      </LinkButton>
    );
  }
  if (draftId === null) return null;
  return (
    <LinkButton to="/drafts/$draftId" params={{ draftId }} aria-label={messages.draftOf(title)}>
      {messages.draft}
    </LinkButton>
  );
}

function Tags({
  item: { tags, isDeprecated },
  onTag,
}: {
  item: ImportItem;
  onTag: (tag: string) => void;
}): ReactNode {
  if (tags.length === 0 && !isDeprecated) return null;
  return (
    <div className="mt-1 flex flex-wrap gap-1">
      {isDeprecated ? <Badge tone="warn">{messages.deprecated}</Badge> : null}
      {tags.map((tag) => (
        <button
          key={tag}
          type="button"
          aria-label={messages.filterByTag(tag)}
          className="max-w-full truncate rounded-md bg-raised px-1.5 py-0.5 text-xs text-soft hover:text-text"
          onClick={() => onTag(tag)}
        >
          <Name>{tag}</Name>
        </button>
      ))}
    </div>
  );
}
