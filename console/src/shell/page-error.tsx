import type { ErrorComponentProps } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Page, ProblemNote } from "#components/page";
import { messages } from "./messages.ts";

/** Shown when a page throws or its code fails to load. After an update of the service, a reload loads the new code. */
export function PageError({ error }: ErrorComponentProps): ReactNode {
  return (
    <Page title={messages.pageError}>
      <ProblemNote error={error} onRetry={() => location.reload()} />
    </Page>
  );
}
