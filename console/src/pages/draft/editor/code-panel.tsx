import type { ReactNode } from "react";
import { lazy } from "react";
import { LazyPart } from "#components/lazy-part";

const CodeTab = lazy(() => import("./code-tab.tsx"));

/** The tab with the code. The editor is loaded when the tab is first shown. */
export function CodePanel(): ReactNode {
  return (
    <LazyPart lines={4}>
      <CodeTab />
    </LazyPart>
  );
}
