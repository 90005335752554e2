import { Plus } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "#components/button";
import { messages } from "./messages.ts";

/** Adds a field at the end. The list around it moves the focus (`use-row-focus.ts`). */
export function AddField({ onAdd }: { onAdd: () => void }): ReactNode {
  return (
    <Button data-add className="justify-self-start" onPress={onAdd}>
      <Plus size={16} aria-hidden />
      {messages.fields.add}
    </Button>
  );
}
