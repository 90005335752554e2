import type { ImportChange } from "@toolhost/contract";
import type { ReactNode } from "react";
import { ConfirmDialog } from "#components/dialog";
import { changeMessages } from "./messages.ts";
import { discardsEdits } from "./review.ts";

const messages = changeMessages.discard;

/** Asks before changes are applied that replace edits. */
export function DiscardDialog({
  changes,
  onClose,
  onConfirm,
}: {
  /** Empty while nothing is asked. */
  changes: readonly ImportChange[];
  onClose: () => void;
  onConfirm: (changes: readonly ImportChange[]) => Promise<unknown>;
}): ReactNode {
  const edited = changes.filter(discardsEdits);
  return (
    <ConfirmDialog
      title={messages.title(edited.length)}
      action={messages.action}
      isOpen={edited.length > 0}
      onClose={onClose}
      onConfirm={() => onConfirm(changes)}
    >
      <p>{messages.body}</p>
      <ul className="mt-2 list-disc pl-5 font-mono text-xs">
        {edited.map(({ toolName }) => (
          <li key={toolName}>{toolName}</li>
        ))}
      </ul>
    </ConfirmDialog>
  );
}
