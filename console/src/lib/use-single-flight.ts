import { useRef } from "react";

/**
 * Ignores calls while an earlier one is in flight, such as the second press of a double click. The work reports its own errors.
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
