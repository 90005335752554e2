import type { ReactNode } from "react";
import { classes } from "#lib/class-names";

const tones: Readonly<Record<string, string>> = {
  GET: "text-strong",
  POST: "text-good",
  PUT: "text-warn",
  PATCH: "text-warn",
  DELETE: "text-bad",
};

/** The method of an operation in the color of its kind. */
export function MethodLabel({
  method,
  className,
}: {
  method: string;
  className?: string;
}): ReactNode {
  return (
    <span className={classes("font-mono text-xs font-semibold", tones[method], className)}>
      {method}
    </span>
  );
}
