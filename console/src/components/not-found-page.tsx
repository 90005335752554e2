import type { LinkProps } from "@tanstack/react-router";
import { SearchX } from "lucide-react";
import type { ReactNode } from "react";
import { LinkButton } from "./button.tsx";
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

/** The same with a link as the only action. */
export function NotFoundWithLink({
  text,
  to,
}: {
  text: { page: string; title: string; body: string; action: string };
  to: NonNullable<LinkProps["to"]>;
}): ReactNode {
  const action = (
    <LinkButton to={to} look="primary">
      {text.action}
    </LinkButton>
  );
  return (
    <NotFoundPage page={text.page} title={text.title} action={action}>
      {text.body}
    </NotFoundPage>
  );
}
