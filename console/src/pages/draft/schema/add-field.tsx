import { Plus } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "#components/button";

/** Adds a field below the others; where the focus goes then, the rows around it say (`use-row-focus.ts`). */
export function AddField({ onAdd }: { onAdd: () => void }): ReactNode {
  return (
    <Button data-add className="justify-self-start" onPress={onAdd}>
      <Plus size={16} aria-hidden />
      Add a field
    </Button>
  );
}
