import type { ReactNode } from "react";
import { useEffect, useRef, useState } from "react";
import { Page, ProblemNote, Skeleton } from "#components/page";
import { loadChunk } from "#lib/load-chunk";

/** The library is large: the page is there before it. */
const load = async () => (await loadChunk(() => import("./reference.ts"))).loadReference();

/** The REST API, as its own description tells it; calls can be tried. */
export function ReferencePage(): ReactNode {
  const [round, setRound] = useState(0);
  return (
    <Page
      title="API"
      lead={
        <>
          All that this console does, your scripts can do. What you try here is sent with your own
          session and really happens. Scripts send an API key. The description itself is at{" "}
          <a href="/openapi.json" className="text-strong underline">
            /openapi.json
          </a>
          .
        </>
      }
    >
      <Reference key={round} onRetry={() => setRound(round + 1)} />
    </Page>
  );
}

function Reference({ onRetry }: { onRetry: () => void }): ReactNode {
  const placeRef = useRef<HTMLDivElement>(null);
  const [isThere, setThere] = useState(false);
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    let isGone = false;
    load().then(
      (element) => {
        if (isGone) return;
        placeRef.current?.replaceChildren(element);
        setThere(true);
      },
      (failure: unknown) => (isGone ? undefined : setError(failure)),
    );
    return () => {
      isGone = true;
    };
  }, []);
  if (error !== undefined) return <ProblemNote error={error} onRetry={onRetry} />;
  return (
    <>
      {isThere ? null : <Skeleton lines={6} />}
      <div ref={placeRef} className="api-reference" />
    </>
  );
}
