import { ArrowDown, ArrowUp, Trash2 } from "lucide-react";
import type { ReactNode } from "react";
import { IconButton } from "#components/button";

/** What is done with a row as a whole. */
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
      <IconButton label={`Move ${name} up`} isDisabled={isFirst} onPress={() => onMove(-1)}>
        <ArrowUp size={16} aria-hidden />
      </IconButton>
      <IconButton label={`Move ${name} down`} isDisabled={isLast} onPress={() => onMove(1)}>
        <ArrowDown size={16} aria-hidden />
      </IconButton>
      <IconButton label={`Remove ${name}`} onPress={onRemove}>
        <Trash2 size={16} aria-hidden />
      </IconButton>
    </div>
  );
}
