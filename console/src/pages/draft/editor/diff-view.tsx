import { javascript } from "@codemirror/lang-javascript";
import { MergeView, unifiedMergeView } from "@codemirror/merge";
import { EditorState } from "@codemirror/state";
import type { Extension } from "@codemirror/state";
import { EditorView, lineNumbers } from "@codemirror/view";
import type { ReactNode } from "react";
import { useEffect, useRef } from "react";
import { useMedia } from "../use-media.ts";
import { comparisonTheme } from "./view/theme.ts";

const collapseUnchanged = { margin: 3, minSize: 4 };

/** Compares two texts side by side, or inline on a narrow screen. */
export default function DiffView({
  before,
  after,
  beforeLabel,
  afterLabel,
  language,
}: {
  before: string;
  after: string;
  beforeLabel: string;
  afterLabel: string;
  language: string;
}): ReactNode {
  const containerRef = useRef<HTMLDivElement>(null);
  const isWide = useMedia("(min-width: 800px)");
  useEffect(() => {
    const parent = containerRef.current;
    if (parent === null) return undefined;
    const extensions = (label: string): Extension => [
      EditorState.readOnly.of(true),
      EditorView.contentAttributes.of({ "aria-label": label }),
      EditorView.lineWrapping,
      lineNumbers(),
      javascript({ typescript: language === "typescript" }),
      comparisonTheme,
    ];
    const view = isWide
      ? new MergeView({
          parent,
          collapseUnchanged,
          a: { doc: before, extensions: extensions(beforeLabel) },
          b: { doc: after, extensions: extensions(afterLabel) },
        })
      : new EditorView({
          parent,
          doc: after,
          extensions: [
            extensions(afterLabel),
            unifiedMergeView({ original: before, mergeControls: false, collapseUnchanged }),
          ],
        });
    return () => view.destroy();
  }, [before, after, beforeLabel, afterLabel, language, isWide]);
  return (
    <figure className="m-0 grid gap-1">
      <figcaption className="flex justify-between text-sm text-soft">
        <span>{beforeLabel}</span>
        <span>{afterLabel}</span>
      </figcaption>
      <div ref={containerRef} className="max-h-72 overflow-auto rounded-lg border border-line" />
    </figure>
  );
}
