import type { ReactNode } from "react";

/** A text in which names are between backticks. */
export function InlineText({ text }: { text: string }): ReactNode {
  return text.split("`").map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      // oxlint-disable-next-line react/no-array-index-key -- The parts of a text do not move.
      <code key={index} className="rounded-sm bg-raised px-1 font-mono text-xs">
        {part}
      </code>
    ),
  );
}
