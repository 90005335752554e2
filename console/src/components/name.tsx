import { toVisibleText } from "@toolhost/ui/visible-text";
import type { ReactNode } from "react";

/**
 * A name that a user or an app chose, such as the title of a tool. It cannot change the order of the text around it, and what
 * would be invisible in it is shown.
 */
export function Name({ children }: { children: string }): ReactNode {
  // Messages of errors, which contain names, have lines.
  return <bdi>{children.split("\n").map(toVisibleText).join("\n")}</bdi>;
}
