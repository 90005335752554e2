import { renderMarkdown } from "@toolhost/ui";
import type { ReactNode } from "react";
import { useEffect, useRef } from "react";
import { resultHost, useToolStyles } from "#runs/host.ts";

/** Renders Markdown below the title of a page, as DOM elements; nothing in it is parsed as HTML. */
export function Markdown({ text }: { text: string }): ReactNode {
  useToolStyles();
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => ref.current?.replaceChildren(renderMarkdown(text, resultHost, 2)), [text]);
  return <div ref={ref} className="toolhost" />;
}
