import type { ImportChange } from "@toolhost/contract";
import type { ReactNode } from "react";
import { ConfirmDialog } from "#components/dialog";
import { changeMessages } from "./messages-changes.ts";
import { archives, discardsEdits } from "./review.ts";

const { discard, archiving } = changeMessages;

/** Asks before changes are applied that replace edits or archive tools. */
export function ConfirmChanges({
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
  const removed = changes.filter(archives);
  const asked = [
    ...(edited.length === 0 ? [] : [{ tools: edited, count: edited.length, ...discard }]),
    ...(removed.length === 0 ? [] : [{ tools: removed, count: removed.length, ...archiving }]),
  ];
  const [first, second] = asked;
  const others = changes.length - edited.length - removed.length;
  return (
    <ConfirmDialog
      title={first?.title(first.count) ?? ""}
      action={
        second === undefined && others === 0
          ? (first?.action(first.count) ?? "")
          : changeMessages.bar.apply
      }
      isOpen={first !== undefined}
      onClose={onClose}
      onConfirm={() => onConfirm(changes)}
    >
      {asked.map(({ title, body, tools, count }) => (
        <div key={body} className="mb-3 last:mb-0">
          {body === first?.body ? null : <p className="font-medium">{title(count)}</p>}
          <p>{body}</p>
          <ul className="mt-2 list-disc pl-5 font-mono text-xs">
            {tools.map(({ toolName }) => (
              <li key={toolName}>{toolName}</li>
            ))}
          </ul>
        </div>
      ))}
      {others === 0 ? null : <p>{archiving.also(others)}</p>}
    </ConfirmDialog>
  );
}
