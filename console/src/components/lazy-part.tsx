import { CatchBoundary } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Suspense } from "react";
import { isReachable } from "#api/is-reachable";
import { Button } from "./button.tsx";
import { Skeleton } from "./page.tsx";
import { showToast } from "./toasts.tsx";

/**
 * A part of the page whose code is loaded when it is first seen. Where it cannot be loaded, as without a connection or after an
 * update of the service, that is said in its place, and the rest of the page goes on.
 */
export function LazyPart({
  children,
  lines = 3,
}: {
  children: ReactNode;
  lines?: number;
}): ReactNode {
  return (
    <CatchBoundary getResetKey={() => "never"} errorComponent={NotLoaded}>
      <Suspense fallback={<Skeleton lines={lines} />}>{children}</Suspense>
    </CatchBoundary>
  );
}

/** Browsers remember what could not be loaded for as long as the page lives, and without the service there would be no page. */
async function readAnew(): Promise<void> {
  if (await isReachable()) location.reload();
  else showToast("The service still cannot be reached.", "bad");
}

function NotLoaded(): ReactNode {
  return (
    <div role="alert" className="m-4 grid justify-items-start gap-2 text-sm">
      <p>This part could not be loaded. What you wrote is kept.</p>
      <Button onPress={() => void readAnew()}>Try again</Button>
    </div>
  );
}
