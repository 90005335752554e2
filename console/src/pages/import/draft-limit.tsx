import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { itemQuery, meQuery } from "#api/queries";
import { itemMessages } from "./messages.ts";

/** Says before drafts are created that the user may not have so many. */
export function DraftLimit({ count }: { count: number }): ReactNode {
  const { data: me } = useQuery(meQuery);
  const { data } = useQuery({
    ...itemQuery("/workspaces/{id}/settings", { params: { id: me?.workspace.id ?? "" } }),
    enabled: me !== undefined,
  });
  const max = data?.limits.userDrafts ?? null;
  if (data === undefined || max === null) return null;
  const free = Math.max(0, max - data.usage.userDrafts);
  if (free >= count) return null;
  return (
    <p role="status" className="ui-note warn">
      {itemMessages.create.fewerDrafts(free, max)}
    </p>
  );
}
