import type { RefObject } from "react";
import { useEffect, useLayoutEffect, useRef, useState } from "react";

/** How far beyond the window items are rendered, in pixels. */
const margin = 800;
/** How many items the first render has, before their heights are known. */
const firstCount = 30;

type Range = { readonly start: number; readonly end: number };
/** With the heights of the items before and after it. */
type Window = Range & { readonly before: number; readonly after: number };

/**
 * Which items of a long list are near enough to the visible part of the page to be rendered. The elements of rendered items have
 * a `data-key`.
 */
export function useWindow({
  keys,
  itemHeight,
  container,
}: {
  keys: readonly string[];
  /** The estimated height of an item, in pixels. */
  itemHeight: number;
  /** The element that contains the items. */
  container: RefObject<HTMLElement | null>;
}): Window {
  const heights = useRef(new Map<string, number>());
  const listener = useRef<() => void>(undefined);
  const [shown, setShown] = useState<Window>({ start: 0, end: firstCount, before: 0, after: 0 });
  const end = Math.min(shown.end, keys.length);
  const start = Math.min(shown.start, end);
  useLayoutEffect(() => {
    const update = () => {
      if (container.current === null) return;
      measure(container.current, heights.current);
      const heightOf = (key: string) => heights.current.get(key) ?? itemHeight;
      const { top } = container.current.getBoundingClientRect();
      const next = findRange(keys, heightOf, { top, bottom: innerHeight });
      const sum = (part: readonly string[]) => part.reduce((all, key) => all + heightOf(key), 0);
      const before = sum(keys.slice(0, next.start));
      const after = sum(keys.slice(next.end));
      setShown((old) =>
        old.start === next.start &&
        old.end === next.end &&
        old.before === before &&
        old.after === after
          ? old
          : { ...next, before, after },
      );
    };
    listener.current = update;
    update();
  });
  useEffect(() => {
    const listen = () => listener.current?.();
    addEventListener("scroll", listen, { passive: true });
    addEventListener("resize", listen);
    return () => {
      removeEventListener("scroll", listen);
      removeEventListener("resize", listen);
    };
  }, []);
  return { start, end, before: shown.before, after: shown.after };
}

/** Remembers the heights of the rendered items. */
function measure(container: HTMLElement, heights: Map<string, number>): void {
  for (const item of container.querySelectorAll<HTMLElement>(":scope > [data-key]"))
    heights.set(item.dataset["key"] ?? "", item.getBoundingClientRect().height);
}

/** The items between `margin` above and below the window. `top` is where the list starts, relative to the window. */
export function findRange(
  keys: readonly string[],
  heightOf: (key: string) => number,
  { top, bottom }: { top: number; bottom: number },
): Range {
  let at = top;
  let start = 0;
  let end = 0;
  for (const [index, key] of keys.entries()) {
    at += heightOf(key);
    if (at < -margin) start = index + 1;
    end = index + 1;
    if (at > bottom + margin) break;
  }
  return { start, end };
}
