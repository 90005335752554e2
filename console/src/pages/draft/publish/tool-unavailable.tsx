import type { ReactNode } from "react";
import { Button } from "#components/button";
import { useDraft } from "../draft-context.ts";
import { useNewDraft } from "../use-new-draft.ts";
import { messages as allMessages } from "./messages.ts";

const messages = allMessages.toolUnavailable;

/** Shown when the edited tool no longer exists or is not editable; offers to create a draft of a new tool. */
export function ToolUnavailable(): ReactNode {
  const { draft, definition } = useDraft();
  const { create, isPending } = useNewDraft();
  return (
    <div
      role="alert"
      className="grid justify-items-start gap-2 rounded-lg bg-warn-soft p-3 text-sm text-warn"
    >
      <p>{messages.body(draft.toolName)}</p>
      <Button isPending={isPending} onPress={() => create(definition)}>
        {messages.createDraft}
      </Button>
    </div>
  );
}
