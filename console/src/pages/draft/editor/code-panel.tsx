import type { ReactNode } from "react";
import { lazy, Suspense } from "react";
import { Skeleton } from "#components/page";

const CodeTab = lazy(() => import("./code-tab.tsx"));

/** The tool's code. The editor is loaded when it is first seen. */
export function CodePanel(): ReactNode {
  return (
    <Suspense
      fallback={
        <div className="p-4">
          <Skeleton lines={4} />
        </div>
      }
    >
      <CodeTab />
    </Suspense>
  );
}
