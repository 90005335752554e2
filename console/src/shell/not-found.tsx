import type { ReactNode } from "react";
import { LinkButton } from "#components/button";
import { EmptyState, Page } from "#components/page";

/** An address that no page has. */
export function NotFound(): ReactNode {
  return (
    <Page title="Nothing is here">
      <EmptyState
        title="No page has this address"
        action={<LinkButton to="/">To the tools</LinkButton>}
      >
        It may have been mistyped, or what it led to is gone.
      </EmptyState>
    </Page>
  );
}
