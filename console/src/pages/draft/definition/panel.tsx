import type { ReactNode, RefObject } from "react";

/** The frame of a form section. */
export function Panel({
  title,
  lead,
  actions,
  rowsRef,
  children,
}: {
  title: string;
  lead?: ReactNode;
  actions?: ReactNode;
  /** Set for a panel of rows. */
  rowsRef?: RefObject<HTMLElement | null>;
  children: ReactNode;
}): ReactNode {
  return (
    <section
      ref={rowsRef}
      data-rows={rowsRef === undefined ? undefined : true}
      aria-label={title}
      className="grid gap-4 border-b border-line p-4 last:border-b-0 sm:p-5"
    >
      <div className="flex flex-wrap items-start justify-between gap-2">
        <div className="min-w-0">
          <h2 className="font-semibold">{title}</h2>
          {lead === undefined ? null : <p className="max-w-prose text-sm text-soft">{lead}</p>}
        </div>
        {actions}
      </div>
      {children}
    </section>
  );
}
