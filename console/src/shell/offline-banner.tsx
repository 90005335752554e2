import { useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useEffect, useState } from "react";
import { isReachable } from "#api/is-reachable";
import { isUnreachable } from "#api/problem";

const checkMs = 2_000;

/** Says so when the service cannot be reached, looks until it can, and then has the page read again what it shows. */
export function OfflineBanner(): ReactNode {
  const client = useQueryClient();
  const [isLost, setLost] = useState(false);
  useEffect(() => {
    const notice = (error: unknown) => {
      if (isUnreachable(error)) setLost(true);
    };
    const stops = [
      client.getQueryCache().subscribe((event) => {
        if (event.type === "updated" && event.action.type === "failed") notice(event.action.error);
      }),
      client.getMutationCache().subscribe((event) => {
        if (event.type === "updated" && event.action.type === "error") notice(event.action.error);
      }),
    ];
    const leave = () => setLost(true);
    addEventListener("offline", leave);
    return () => {
      for (const stop of stops) stop();
      removeEventListener("offline", leave);
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
        <p className="bg-warn-soft px-4 py-2 text-center text-sm text-warn">
          The service cannot be reached. What you typed is kept; trying again…
        </p>
      ) : null}
    </div>
  );
}
