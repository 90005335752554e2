import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useEffect } from "react";
import { itemQuery } from "#api/queries";

/** After a run was refused: notices that the person has decided on another page, once they are back on this one. */
export function MissingCredentialsWatcher({
  name,
  onClear,
}: {
  name: string;
  onClear: () => void;
}): ReactNode {
  const { data, isFetchedAfterMount } = useQuery({
    ...itemQuery("/tools/{name}/approvals", { params: { name } }),
    staleTime: 0,
    refetchOnWindowFocus: "always",
  });
  const isClear = isFetchedAfterMount && data?.missing?.length === 0;
  useEffect(() => {
    if (isClear) onClear();
  }, [isClear, onClear]);
  return isClear ? (
    <p role="status" className="text-sm">
      Nothing is missing now. You can run the tool.
    </p>
  ) : null;
}
