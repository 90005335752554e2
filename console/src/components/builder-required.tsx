import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { meQuery } from "#api/queries";
import { EmptyState, Page } from "./page.tsx";
import { messages as allMessages } from "./messages-catalog.ts";

const messages = allMessages.builderRequired;

/** Shown instead of a page that requires the Builder role. */
export function BuilderRequired({ page = messages.page }: { page?: string }): ReactNode {
  const { data: me } = useQuery(meQuery);
  return (
    <Page title={page}>
      <EmptyState title={messages.title}>
        {me === undefined ? null : messages.yourRole(me.workspace.role)}
        {messages.body}
      </EmptyState>
    </Page>
  );
}
