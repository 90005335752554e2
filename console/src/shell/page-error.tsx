import type { ErrorComponentProps } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Page, ProblemNote } from "#components/page";

/**
 * A page that failed in itself, or whose script could not be loaded: after an update of the service the old one is gone, and
 * reading the page anew brings the new one.
 */
export function PageError({ error }: ErrorComponentProps): ReactNode {
  return (
    <Page title="This page failed">
      <ProblemNote error={error} onRetry={() => location.reload()} />
    </Page>
  );
}
