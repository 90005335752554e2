import { ArrowDown, ArrowUp, Trash2 } from "lucide-react";
import type { ReactNode } from "react";
import { IconButton } from "#components/button";
import { messages as allMessages } from "./messages.ts";

const messages = allMessages.fields;

/** The buttons that move and remove a row. */
export function RowButtons({
  name,
  isFirst,
  isLast,
  onMove,
  onRemove,
}: {
  name: string;
  isFirst: boolean;
  isLast: boolean;
  onMove: (step: -1 | 1) => void;
  onRemove: () => void;
}): ReactNode {
  return (
    <div className="ml-auto flex">
      <IconButton label={messages.moveUp(name)} isDisabled={isFirst} onPress={() => onMove(-1)}>
        <ArrowUp size={16} aria-hidden />
      </IconButton>
      <IconButton label={messages.moveDown(name)} isDisabled={isLast} onPress={() => onMove(1)}>
        <ArrowDown size={16} aria-hidden />
      </IconButton>
      <IconButton label={messages.remove(name)} onPress={onRemove}>
        <Trash2 size={16} aria-hidden />
      </IconButton>
    </div>
  );
}
