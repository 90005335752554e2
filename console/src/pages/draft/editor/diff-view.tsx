import type { ReactNode } from "react";
import { useEffect, useRef } from "react";
import { editor } from "./monaco.ts";

const lineHeight = 19;
const minLines = 9;
const maxLines = 15;

/** The height in pixels that fits the longer text, with room for lines that only one side has. */
function heightOf(...texts: readonly string[]): number {
  const lines = Math.max(...texts.map((text) => text.split("\n").length)) + 3;
  return Math.min(Math.max(lines, minLines), maxLines) * lineHeight;
}

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
  useEffect(() => {
    const container = containerRef.current;
    if (container === null) return undefined;
    const original = editor.createModel(before, language);
    const modified = editor.createModel(after, language);
    const instance = editor.createDiffEditor(container, {
      automaticLayout: true,
      readOnly: true,
      minimap: { enabled: false },
      fontSize: 13,
      scrollBeyondLastLine: false,
      renderOverviewRuler: false,
      useInlineViewWhenSpaceIsLimited: true,
      diffWordWrap: "on",
      hideUnchangedRegions: { enabled: true },
      fixedOverflowWidgets: true,
    });
    instance.getOriginalEditor().updateOptions({ ariaLabel: beforeLabel });
    instance.getModifiedEditor().updateOptions({ ariaLabel: afterLabel });
    instance.setModel({ original, modified });
    return () => {
      instance.dispose();
      original.dispose();
      modified.dispose();
    };
  }, [before, after, beforeLabel, afterLabel, language]);
  return (
    <figure className="m-0 grid gap-1">
      <figcaption className="flex justify-between text-sm text-soft">
        <span>{beforeLabel}</span>
        <span>{afterLabel}</span>
      </figcaption>
      <div
        ref={containerRef}
        className="overflow-hidden rounded-lg border border-line"
        style={{ height: heightOf(before, after) }}
      />
    </figure>
  );
}
