import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { meQuery } from "#api/queries";
import { EmptyState, Page } from "./page.tsx";

/** What somebody sees in place of pages that are for those who build tools. */
export function BuilderRequired(): ReactNode {
  const { data: me } = useQuery(meQuery);
  return (
    <Page title="Build">
      <EmptyState title="You do not build tools here">
        {me === undefined ? null : `Your role in this workspace is ${me.workspace.role}. `}
        Builders and admins make tools; an admin can change your role.
      </EmptyState>
    </Page>
  );
}
