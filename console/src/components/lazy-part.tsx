import { CatchBoundary } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Suspense } from "react";
import { isReachable } from "#api/is-reachable";
import { Button } from "./button.tsx";
import { messages } from "./messages.ts";
import { Skeleton } from "./page.tsx";
import { showToast } from "./toasts.tsx";

/**
 * A part of the page whose code is loaded on demand. When it cannot be loaded, as without a connection or after an update of the
 * service, an error replaces it and the rest of the page stays usable. With no `lines`, nothing takes its place while it loads.
 */
export function LazyPart({
  children,
  lines = 3,
}: {
  children: ReactNode;
  lines?: number;
}): ReactNode {
  return (
    <CatchBoundary getResetKey={() => "never"} errorComponent={LoadFailure}>
      <Suspense fallback={lines === 0 ? null : <Skeleton lines={lines} />}>{children}</Suspense>
    </CatchBoundary>
  );
}

/** Reloads the page, because browsers cache a failed import. Only when the service is reachable, or the page would be lost. */
async function retry(): Promise<void> {
  if (await isReachable()) location.reload();
  else showToast(messages.lazyPart.unreachable, "bad");
}

function LoadFailure(): ReactNode {
  return (
    <div role="alert" className="m-4 grid justify-items-start gap-2 text-sm">
      <p>{messages.lazyPart.failed}</p>
      <Button onPress={() => void retry()}>{messages.retry}</Button>
    </div>
  );
}
