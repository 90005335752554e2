import type { ReactNode } from "react";
import { classes } from "#lib/class-names";

const hueCount = 8;

/** The first letter of a tool's title, in a color that its permanent name determines. Decorative: the title is beside it. */
export function Initial({
  name,
  title,
  className,
}: {
  name: string;
  title: string;
  className?: string;
}): ReactNode {
  const [letter = ""] = /[\p{L}\p{N}]/u.exec(title) ?? [];
  return (
    <span aria-hidden data-hue={hueOf(name)} className={classes("ui-initial", className)}>
      {letter.toUpperCase()}
    </span>
  );
}

function hueOf(name: string): number {
  let hash = 0;
  for (const character of name) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) % 65_521;
  return hash % hueCount;
}
