import type { ReactNode } from "react";

/** A group of components with a heading. */
export function Section({ title, children }: { title: string; children: ReactNode }): ReactNode {
  return (
    <section aria-label={title} className="grid min-w-0 grid-cols-1 gap-4">
      <h2 className="border-b border-line pb-1 font-semibold">{title}</h2>
      {children}
    </section>
  );
}

/** Components beside each other. */
export function Row({ children }: { children: ReactNode }): ReactNode {
  return <div className="flex flex-wrap items-start gap-3">{children}</div>;
}

/** Fields in columns. */
export function Columns({ children }: { children: ReactNode }): ReactNode {
  return <div className="grid gap-4 sm:grid-cols-2">{children}</div>;
}
