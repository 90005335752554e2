import type { ReactNode } from "react";
import { lazy } from "react";
import { LazyPart } from "#components/lazy-part";

const CodeTab = lazy(() => import("./code-tab.tsx"));

/** The tool's code. The editor is loaded when it is first seen. */
export function CodePanel(): ReactNode {
  return (
    <LazyPart lines={4}>
      <CodeTab />
    </LazyPart>
  );
}
