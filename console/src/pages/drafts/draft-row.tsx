import { Link } from "@tanstack/react-router";
import type { DraftSummary } from "@toolhost/contract";
import { Trash2 } from "lucide-react";
import type { ReactNode } from "react";
import { Badge, When } from "#components/badges";
import { IconButton } from "#components/button";
import { Checkbox } from "#components/fields";
import { messages as allMessages } from "./messages.ts";
import { Name } from "#components/name";

const messages = allMessages.drafts;

/** A draft in the list, which links to its editor. */
export function DraftRow({
  draft,
  isSelected,
  onSelect,
  onDiscard,
}: {
  draft: DraftSummary;
  isSelected: boolean;
  onSelect: (isSelected: boolean) => void;
  onDiscard: () => void;
}): ReactNode {
  const { id, toolName, updatedAt, import: origin } = draft;
  const title = titleOf(draft);
  return (
    <div className="flex items-center gap-1 pr-2 pl-4 hover:bg-raised">
      <Checkbox isSelected={isSelected} onChange={onSelect}>
        <span className="sr-only">{messages.select(title)}</span>
      </Checkbox>
      <Link
        to="/drafts/$draftId"
        params={{ draftId: id }}
        className="flex min-w-0 flex-1 flex-wrap items-center justify-between gap-2 py-3 pr-1 pl-1"
      >
        <span className="min-w-0">
          <span className="block font-medium wrap-anywhere">
            <Name>{title}</Name>
          </span>
          <span className="ui-facts">
            <span>
              {messages.saved} <When at={updatedAt} />
            </span>
            {origin === null ? null : (
              <span className="wrap-anywhere">
                {messages.importedFrom} <Name>{origin.title}</Name>
              </span>
            )}
          </span>
        </span>
        {toolName === null ? (
          <Badge>{messages.newTool}</Badge>
        ) : (
          <Badge tone="strong">{toolName}</Badge>
        )}
      </Link>
      <IconButton label={messages.discard(title)} onPress={onDiscard}>
        <Trash2 size={16} aria-hidden />
      </IconButton>
    </div>
  );
}

/** The name of a draft in lists. */
export function titleOf({ title }: DraftSummary): string {
  return title === "" ? messages.untitled : title;
}
