import { useRef } from "react";

/**
 * Lets work begin only when what was begun before has ended: the second press of a double click comes before the page can show that
 * the first one counts. What the work throws is its own to show.
 */
export function useSingleFlight(): (work: () => Promise<unknown>) => void {
  const isBusyRef = useRef(false);
  return (work) => {
    if (isBusyRef.current) return;
    isBusyRef.current = true;
    work()
      .catch(() => undefined)
      .finally(() => {
        isBusyRef.current = false;
      });
  };
}
