import { useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useEffect, useState } from "react";
import { isReachable } from "#api/is-reachable";
import { isUnreachable } from "#api/problem";
import { messages } from "./messages.ts";

const checkMs = 2_000;

/** Shown while the service is unreachable. Polls until it responds, then refetches the data of the page. */
export function OfflineBanner(): ReactNode {
  const client = useQueryClient();
  const [isLost, setLost] = useState(false);
  useEffect(() => {
    const handleError = (error: unknown) => {
      if (isUnreachable(error)) setLost(true);
    };
    const stops = [
      client.getQueryCache().subscribe((event) => {
        if (event.type === "updated" && event.action.type === "failed")
          handleError(event.action.error);
      }),
      client.getMutationCache().subscribe((event) => {
        if (event.type === "updated" && event.action.type === "error")
          handleError(event.action.error);
      }),
    ];
    const handleOffline = () => setLost(true);
    addEventListener("offline", handleOffline);
    return () => {
      for (const stop of stops) stop();
      removeEventListener("offline", handleOffline);
    };
  }, [client]);
  useEffect(() => {
    if (!isLost) return undefined;
    const timer = setInterval(() => {
      void isReachable().then((isBack) => {
        if (!isBack) return;
        setLost(false);
        void client.invalidateQueries();
      });
    }, checkMs);
    return () => clearInterval(timer);
  }, [isLost, client]);
  return (
    <div role="status" className="sticky top-0 z-40">
      {isLost ? (
        <p className="bg-warn-soft px-4 py-2 text-center text-sm text-warn">{messages.offline}</p>
      ) : null}
    </div>
  );
}
