import type { ReactNode } from "react";
import { LinkButton } from "#components/button";
import { EmptyState, Page } from "#components/page";
import { messages } from "./messages.ts";

/** Shown for an unknown address. */
export function NotFound(): ReactNode {
  return (
    <Page title={messages.notFound.title}>
      <EmptyState
        title={messages.notFound.heading}
        action={<LinkButton to="/">{messages.notFound.action}</LinkButton>}
      >
        {messages.notFound.body}
      </EmptyState>
    </Page>
  );
}
