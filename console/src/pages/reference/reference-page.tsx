import type { ReactNode } from "react";
import { useEffect, useRef, useState } from "react";
import { Page, ProblemNote, Skeleton } from "#components/page";
import { loadChunk } from "#lib/load-chunk";
import { messages } from "./messages.ts";

/** The library is large, so the page renders before it has loaded. */
const load = async () => (await loadChunk(() => import("./reference.ts"))).loadReference();

/** The REST API reference, with requests to try. */
export function ReferencePage(): ReactNode {
  const [attempt, setAttempt] = useState(0);
  return (
    <Page
      title={messages.title}
      lead={
        <>
          {messages.lead}{" "}
          <a href="/openapi.json" className="text-strong underline">
            {messages.documentUrl}
          </a>
          {messages.leadEnd}
        </>
      }
    >
      <Reference key={attempt} onRetry={() => setAttempt(attempt + 1)} />
    </Page>
  );
}

function Reference({ onRetry }: { onRetry: () => void }): ReactNode {
  const containerRef = useRef<HTMLDivElement>(null);
  const [isLoaded, setLoaded] = useState(false);
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    let isUnmounted = false;
    load().then(
      (element) => {
        if (isUnmounted) return;
        containerRef.current?.replaceChildren(element);
        setLoaded(true);
      },
      (failure: unknown) => (isUnmounted ? undefined : setError(failure)),
    );
    return () => {
      isUnmounted = true;
    };
  }, []);
  if (error !== undefined) return <ProblemNote error={error} onRetry={onRetry} />;
  return (
    <>
      {isLoaded ? null : <Skeleton lines={6} />}
      <div ref={containerRef} className="api-reference" />
    </>
  );
}
