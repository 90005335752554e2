import type { ReactNode } from "react";
import { Button } from "#components/button";
import { useDraft } from "../draft-context.ts";
import { useNewDraft } from "../use-new-draft.ts";

/** The tool that a draft changes is no more, or not the person's to change: what is written can still become one of its own. */
export function ToolUnavailable(): ReactNode {
  const { draft, definition } = useDraft();
  const { begin, isPending } = useNewDraft();
  return (
    <div
      role="alert"
      className="grid justify-items-start gap-2 rounded-lg bg-warn-soft p-3 text-sm text-warn"
    >
      <p>
        There is no {draft.toolName} any more that you may change. What you wrote can become a new
        tool.
      </p>
      <Button isPending={isPending} onPress={() => begin(definition)}>
        Make it a draft of a new tool
      </Button>
    </div>
  );
}
