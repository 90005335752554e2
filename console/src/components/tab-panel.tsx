import type { ReactNode } from "react";
import { useEffect, useRef, useState } from "react";

/** The content of a tab. Its text is reachable by keyboard even if nothing in it can be focused. */
export function TabPanel({
  group,
  id,
  isSelected,
  className = "",
  children,
}: {
  /** The group of its `TabList`. */
  group: string;
  id: string;
  /** A panel that stays mounted without being selected is hidden. */
  isSelected: boolean;
  className?: string;
  children: ReactNode;
}): ReactNode {
  const ref = useRef<HTMLDivElement>(null);
  const hasTarget = useHasTabTarget(ref);
  return (
    <div
      ref={ref}
      role="tabpanel"
      id={`${group}-panel-${id}`}
      aria-labelledby={`${group}-tab-${id}`}
      tabIndex={hasTarget ? undefined : 0}
      className={`${className} outline-none`}
      hidden={!isSelected}
    >
      {children}
    </div>
  );
}

const target =
  ":is(a[href],button,input,select,textarea,summary,iframe,[tabindex],[contenteditable=true]):not([disabled],[tabindex^='-'],[type=hidden])";

/** Whether the Tab key can reach something within the element. */
function useHasTabTarget(ref: { readonly current: HTMLElement | null }): boolean {
  const [hasTarget, setHasTarget] = useState(true);
  useEffect(() => {
    const panel = ref.current;
    if (panel === null) return undefined;
    const update = () => setHasTarget(panel.querySelector(target) !== null);
    update();
    const observer = new MutationObserver(update);
    const attributeFilter = ["disabled", "tabindex", "href"];
    observer.observe(panel, { subtree: true, childList: true, attributes: true, attributeFilter });
    return () => observer.disconnect();
  }, [ref]);
  return hasTarget;
}
