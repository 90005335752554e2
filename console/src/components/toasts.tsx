import type { ReactNode } from "react";
import { lazy, Suspense, useEffect, useState } from "react";
import { loadChunk } from "#lib/load-chunk";

export type Toast = {
  text: string;
  tone: "good" | "bad";
  /** A button that takes back what was done. */
  action?: { label: string; onPress: () => void } | undefined;
};

/** When the code of notifications is loaded if none was shown before, so that it is there when the connection is lost. */
const preloadMs = 3_000;

const load = () => loadChunk(() => import("./toast-region.tsx"));
const ToastRegion = lazy(async () => ({ default: (await load()).ToastRegion }));

let showRegion: (() => void) | undefined;

/** Shows a notification in the corner of the page. Errors stay until the user closes them. */
export function showToast(
  text: string,
  tone: Toast["tone"] = "good",
  action?: Toast["action"],
): void {
  showRegion?.();
  void load().then(({ addToast }) => addToast({ text, tone, action }));
}

/** The region that shows the notifications. It is not part of the first load. */
export function Toasts(): ReactNode {
  const [isDue, setDue] = useState(false);
  useEffect(() => {
    showRegion = () => setDue(true);
    const timer = setTimeout(showRegion, preloadMs);
    return () => clearTimeout(timer);
  }, []);
  return isDue ? (
    <Suspense>
      <ToastRegion />
    </Suspense>
  ) : null;
}
