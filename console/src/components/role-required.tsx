import { useQuery } from "@tanstack/react-query";
import { minRoleOf } from "@toolhost/contract/roles";
import type { Right } from "@toolhost/contract/roles";
import type { Scope } from "@toolhost/contract/scopes";
import { Lock } from "lucide-react";
import type { ReactNode } from "react";
import { meQuery } from "#api/queries";
import { roleLabel } from "#lib/role-label";
import { messages } from "./messages-refused.ts";
import { EmptyState, Page } from "./page.tsx";

/** Shown instead of a page that requires a right that the user's role does not have. */
export function RoleRequired({
  page,
  right,
  children,
}: {
  /** The title of the page. */
  page: string;
  right: Right | Scope;
  /** What the user can do instead. */
  children?: ReactNode;
}): ReactNode {
  const { data: me } = useQuery(meQuery);
  return (
    <Page title={page}>
      <EmptyState icon={Lock} title={messages.roleRequired(roleLabel(minRoleOf(right)))}>
        {me === undefined ? null : messages.ownRole(roleLabel(me.workspace.role))}{" "}
        {messages.askAdmin} {children}
      </EmptyState>
    </Page>
  );
}
