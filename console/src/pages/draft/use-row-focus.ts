import { useEffect, useRef } from "react";
import type { RefObject } from "react";

/**
 * Puts the focus where somebody goes on who has added or removed a row: into the new row, or on the button that adds. The rows are
 * fieldsets somewhere in the element, which has `data-rows`; the button has `data-add`.
 */
export function useRowFocus<Place extends HTMLElement>(): {
  rowsRef: RefObject<Place | null>;
  follow: (what: "added" | "removed") => void;
} {
  const rowsRef = useRef<Place>(null);
  const wanted = useRef<"added" | "removed">(undefined);
  useEffect(() => {
    const place = rowsRef.current;
    const what = wanted.current;
    if (place === null || what === undefined) return;
    wanted.current = undefined;
    // Rows may hold rows of their own.
    const own = (selector: string) =>
      [...place.querySelectorAll<HTMLElement>(selector)].filter(
        (one) => one.parentElement?.closest("[data-rows]") === place,
      );
    const added = own("fieldset").at(-1)?.querySelector<HTMLInputElement>("input, textarea");
    if (what === "added" && added != null) {
      added.focus();
      added.select();
    } else own("[data-add]").at(0)?.focus();
  });
  return {
    rowsRef,
    follow: (what) => {
      wanted.current = what;
    },
  };
}
