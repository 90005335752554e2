import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useState } from "react";
import { allItemsQuery } from "#api/queries";
import { Button } from "#components/button";
import { ConfirmDialog } from "#components/dialog";
import { messages as allMessages } from "./messages.ts";
import { useDeleteDrafts } from "./use-delete-drafts.ts";

const messages = allMessages.drafts;

/** Selects drafts, and deletes the selected ones together; nothing without drafts. */
export function DraftSelection({
  selected,
  onChange,
}: {
  selected: ReadonlySet<string>;
  onChange: (selected: ReadonlySet<string>) => void;
}): ReactNode {
  const { data: all = [] } = useQuery(allItemsQuery("/drafts"));
  const [isDeleting, setDeleting] = useState(false);
  const { mutateAsync } = useDeleteDrafts();
  // A selected draft may have been deleted or published meanwhile.
  const ids = all.map(({ id }) => id).filter((id) => selected.has(id));
  if (all.length === 0) return null;
  const isAllSelected = ids.length === all.length;
  return (
    <div className="flex flex-wrap gap-2">
      {/* One button, so that it keeps the focus. */}
      <Button onPress={() => onChange(new Set(isAllSelected ? [] : all.map(({ id }) => id)))}>
        {isAllSelected ? messages.clear : messages.selectAll}
      </Button>
      {ids.length === 0 ? null : (
        <>
          {isAllSelected ? null : (
            <Button onPress={() => onChange(new Set())}>{messages.clear}</Button>
          )}
          <Button look="danger" onPress={() => setDeleting(true)}>
            {messages.deleteMany(ids.length)}
          </Button>
        </>
      )}
      <ConfirmDialog
        title={messages.deleteTitle(ids.length)}
        action={messages.deleteMany(ids.length)}
        isOpen={isDeleting}
        onClose={() => setDeleting(false)}
        onConfirm={() => mutateAsync(ids)}
      >
        <p>{messages.deleteBody}</p>
      </ConfirmDialog>
    </div>
  );
}
