import type { ReactNode } from "react";
import { useEffect } from "react";
import { ApiProblem, errorMessage } from "#api/problem";
import { Button } from "./button.tsx";

type PageProps = {
  title: string;
  /** A line on what the page is for. */
  lead?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
};

/** The frame of every page: its name, what can be done, and what it shows. */
export function Page({ title, lead, actions, children }: PageProps): ReactNode {
  useTitle(title);
  return (
    <div className="mx-auto grid w-full max-w-6xl grid-cols-1 min-w-0 gap-5 px-4 py-6 sm:px-8">
      <header className="flex flex-wrap items-start justify-between gap-3">
        <div className="min-w-0">
          <h1 className="text-xl font-semibold tracking-tight">
            <bdi>{title}</bdi>
          </h1>
          {lead === undefined ? null : <p className="mt-1 max-w-prose text-soft">{lead}</p>}
        </div>
        {actions === undefined ? null : <div className="flex flex-wrap gap-2">{actions}</div>}
      </header>
      {children}
    </div>
  );
}

/** Names the browser's tab. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} – Toolhost`;
  }, [title]);
}

/** Something with a border around it. */
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
    <section
      className="grid min-w-0 gap-3 rounded-xl border border-line bg-paper p-4"
      aria-label={title}
    >
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

/** What stands where nothing is yet: what would be here, and how it gets here. */
export function EmptyState({
  title,
  children,
  action,
}: {
  title: string;
  children: ReactNode;
  action?: ReactNode;
}): ReactNode {
  return (
    <div className="grid justify-items-center gap-3 rounded-xl border border-dashed border-edge px-6 py-10 text-center">
      <h2 className="font-semibold">{title}</h2>
      <div className="max-w-prose text-soft">{children}</div>
      {action}
    </div>
  );
}

/** Where something comes; grey bars of about its size. */
export function Skeleton({ lines = 3 }: { lines?: number }): ReactNode {
  return (
    <div role="status" className="grid gap-3">
      <span className="sr-only">Loading…</span>
      {Array.from({ length: lines }, (_, index) => (
        <div key={index} className="h-12 animate-pulse rounded-lg bg-raised" />
      ))}
    </div>
  );
}

/** What went wrong, and a button to try again where that may help. */
export function ProblemNote({
  error,
  onRetry,
}: {
  error: unknown;
  onRetry?: () => void;
}): ReactNode {
  const id = error instanceof ApiProblem ? error.requestId : undefined;
  return (
    <div
      role="alert"
      className="grid justify-items-start gap-2 rounded-xl border border-bad bg-bad-soft p-4 text-sm"
    >
      <p>{errorMessage(error)}</p>
      {error instanceof ApiProblem && error.errors.length > 0 ? (
        <ul className="list-disc pl-5">
          {error.errors.map(({ path, message, line }) => (
            <li key={`${path}${message}`}>
              {[path, line === undefined ? undefined : `line ${line}`, message]
                .filter(Boolean)
                .join(": ")}
            </li>
          ))}
        </ul>
      ) : null}
      {id === undefined ? null : <p className="text-soft">Request {id}</p>}
      {onRetry === undefined ? null : <Button onPress={onRetry}>Try again</Button>}
    </div>
  );
}
