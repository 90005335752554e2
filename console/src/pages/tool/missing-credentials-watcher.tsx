import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useEffect } from "react";
import { itemQuery } from "#api/queries";
import { AskAdmin } from "./ask-admin.tsx";
import { messages } from "./messages-on-demand.ts";

/** After a run was refused for missing credentials: notices when they become available on another page. */
export function MissingCredentialsWatcher({
  name,
  onResolved,
}: {
  name: string;
  onResolved: () => void;
}): ReactNode {
  const { data, isFetchedAfterMount } = useQuery({
    ...itemQuery("/tools/{name}/approvals", { params: { name } }),
    staleTime: 0,
    refetchOnWindowFocus: "always",
  });
  const isResolved = isFetchedAfterMount && data?.missing?.length === 0;
  useEffect(() => {
    if (isResolved) onResolved();
  }, [isResolved, onResolved]);
  return isResolved ? (
    <p role="status" className="text-sm">
      {messages.finishedRun.nothingMissing}
    </p>
  ) : (
    <AskAdmin name={name} />
  );
}
