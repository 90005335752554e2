import type { ImportChange } from "@toolhost/contract";
import type { ReactNode } from "react";
import { Button } from "#components/button";
import { changeMessages } from "./messages-changes.ts";

const messages = changeMessages.bar;

/** Applies all changes that were marked as reviewed. */
export function ReviewedBar({
  reviewed,
  isPending,
  onApply,
}: {
  reviewed: readonly ImportChange[];
  isPending: boolean;
  onApply: (publish: boolean) => void;
}): ReactNode {
  if (reviewed.length === 0) return null;
  return (
    <section
      aria-label={messages.label}
      className="sticky top-16 z-20 flex flex-wrap items-center justify-between gap-2 rounded-xl border border-line bg-paper px-3 py-2 md:top-2"
    >
      <p role="status" className="text-sm">
        {messages.selected(reviewed.length)}
      </p>
      <div className="flex flex-wrap gap-2">
        {reviewed.every(({ after }) => after === null) ? null : (
          <Button isPending={isPending} onPress={() => onApply(false)}>
            {messages.drafts}
          </Button>
        )}
        <Button look="primary" isPending={isPending} onPress={() => onApply(true)}>
          {messages.apply}
        </Button>
      </div>
    </section>
  );
}
