import { useEffect, useRef } from "react";
import type { RefObject } from "react";

/**
 * Moves the focus after a row is added or removed: into the new row, or to the add button. Rows are fieldsets inside an element
 * with `data-rows`; the add button has `data-add`.
 */
export function useRowFocus<Container extends HTMLElement>(): {
  rowsRef: RefObject<Container | null>;
  focusAfter: (change: "added" | "removed") => void;
} {
  const rowsRef = useRef<Container>(null);
  const pending = useRef<"added" | "removed">(undefined);
  useEffect(() => {
    const container = rowsRef.current;
    const change = pending.current;
    if (container === null || change === undefined) return;
    pending.current = undefined;
    // A row may contain rows of its own, which are skipped.
    const own = (selector: string) =>
      [...container.querySelectorAll<HTMLElement>(selector)].filter(
        (one) => one.parentElement?.closest("[data-rows]") === container,
      );
    const added = own("fieldset").at(-1)?.querySelector<HTMLInputElement>("input, textarea");
    if (change === "added" && added != null) {
      added.focus();
      added.select();
    } else own("[data-add]").at(0)?.focus();
  });
  return {
    rowsRef,
    focusAfter: (change) => {
      pending.current = change;
    },
  };
}
