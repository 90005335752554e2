import type { LinkProps } from "@tanstack/react-router";
import { ArrowLeft, Inbox } from "lucide-react";
import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { useEffect } from "react";
import { ApiProblem, errorMessage } from "#api/problem";
import { classes } from "#lib/class-names";
import { Button, LinkButton } from "./button.tsx";
import { messages } from "./messages.ts";
import { Name } from "./name.tsx";

type PageProps = {
  title: string;
  /** One line about the purpose of the page. */
  lead?: ReactNode;
  /** A `BackLink` to the list that contains what the page shows. */
  back?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
};

/** The frame of every page: title, actions and content. */
export function Page({ title, lead, back, actions, children }: PageProps): ReactNode {
  useTitle(title);
  return (
    <div className="mx-auto grid w-full max-w-6xl grid-cols-1 min-w-0 gap-5 px-4 py-6 sm:px-8">
      <header className="flex flex-wrap items-start justify-between gap-3">
        <div className="min-w-0 flex-1 basis-72">
          {back}
          <h1 className="text-xl font-semibold tracking-tight">
            <Name>{title}</Name>
          </h1>
          {lead === undefined ? null : (
            <p className={classes("mt-1 text-soft", typeof lead === "string" && "max-w-prose")}>
              {lead}
            </p>
          )}
        </div>
        {actions === undefined ? null : <div className="flex flex-wrap gap-2">{actions}</div>}
      </header>
      {children}
    </div>
  );
}

/** A link above the title of a page. */
export function BackLink({ children, ...to }: LinkProps & { children: ReactNode }): ReactNode {
  return (
    <LinkButton {...to} look="quiet" isSmall className="-mt-2 mb-1 -ml-2 text-soft">
      <ArrowLeft size={14} aria-hidden />
      {children}
    </LinkButton>
  );
}

/** Sets the title of the browser tab. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = messages.documentTitle(title);
  }, [title]);
}

/** A bordered section of a page. */
export function Card({
  children,
  title,
  actions,
}: {
  children: ReactNode;
  title?: string;
  actions?: ReactNode;
}): ReactNode {
  return (
    <section className="ui-card grid min-w-0 gap-3 p-4" aria-label={title}>
      {title === undefined ? null : (
        <div className="flex flex-wrap items-center justify-between gap-2">
          <h2 className="font-semibold">{title}</h2>
          {actions}
        </div>
      )}
      {children}
    </section>
  );
}

/**
 * Shown in place of an empty list or of a page that cannot be shown: what the list is for, and the next action, unless that is in
 * the header of the page: a button must not move under the pointer once the list has loaded.
 */
export function EmptyState({
  icon: Icon = Inbox,
  title,
  children,
  action,
}: {
  icon?: LucideIcon;
  title: string;
  /** One sentence or two. */
  children: ReactNode;
  action?: ReactNode;
}): ReactNode {
  return (
    <div className="grid justify-items-center gap-3 rounded-xl border border-dashed border-edge px-6 py-10 text-center">
      <Icon size={24} aria-hidden className="text-soft" />
      <h2 className="font-semibold">{title}</h2>
      <div className="max-w-prose text-soft">{children}</div>
      <div className="flex flex-wrap justify-center gap-2 empty:hidden">{action}</div>
    </div>
  );
}

/** A placeholder while content loads. */
export function Skeleton({ lines = 3 }: { lines?: number }): ReactNode {
  return (
    <div role="status" className="grid gap-3">
      <span className="sr-only">{messages.loading}</span>
      {Array.from({ length: lines }, (_, index) => (
        <div key={index} className="ui-skeleton h-12" />
      ))}
    </div>
  );
}

/** An error, with a retry button where retrying may help. */
export function ProblemNote({
  error,
  onRetry,
}: {
  error: unknown;
  onRetry?: () => void;
}): ReactNode {
  const id = error instanceof ApiProblem ? error.requestId : undefined;
  return (
    <div role="alert" className="ui-note bad grid justify-items-start gap-2">
      <p>{errorMessage(error)}</p>
      {error instanceof ApiProblem && error.errors.length > 0 ? (
        <ul className="list-disc pl-5">
          {error.errors.map(({ path, message, line }) => (
            <li key={`${path}${message}`}>
              {[path, line === undefined ? undefined : messages.problem.line(line), message]
                .filter(Boolean)
                .join(": ")}
            </li>
          ))}
        </ul>
      ) : null}
      {id === undefined ? null : <p className="text-soft">{messages.problem.request(id)}</p>}
      {onRetry === undefined ? null : <Button onPress={onRetry}>{messages.retry}</Button>}
    </div>
  );
}
