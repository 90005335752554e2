import { MoreHorizontal } from "lucide-react";
import type { ReactNode } from "react";
import { IconButton } from "./button.tsx";

/** The button with three dots that opens a menu of further actions. */
export function MoreButton({
  label,
  isSmall = false,
}: {
  label: string;
  isSmall?: boolean;
}): ReactNode {
  return (
    <IconButton label={label} isSmall={isSmall}>
      <MoreHorizontal size={isSmall ? 16 : 18} aria-hidden />
    </IconButton>
  );
}
