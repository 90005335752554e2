import { SearchX } from "lucide-react";
import type { ReactNode } from "react";
import { EmptyState, Page } from "./page.tsx";

/** Shown instead of a page about something that does not exist, or that the user cannot see. */
export function NotFoundPage({
  page,
  title,
  children,
  action,
}: {
  /** The title of the page, such as "Run not found". */
  page: string;
  /** A sentence that says what is missing. */
  title: string;
  /** Why it may be missing. */
  children?: ReactNode;
  /** Where to go instead. */
  action: ReactNode;
}): ReactNode {
  return (
    <Page title={page}>
      <EmptyState icon={SearchX} title={title} action={action}>
        {children}
      </EmptyState>
    </Page>
  );
}
