import type { JsonObject } from "@toolhost/contract";
import { toVisibleText } from "@toolhost/ui/visible-text";
import type { ReactNode } from "react";
import { classes } from "#lib/class-names";
import { partsOf } from "#lib/definition-parts";
import { diffLines, toHunks } from "#lib/line-diff";
import type { DiffLine, Hunk } from "#lib/line-diff";
import { messages } from "./messages-differences.ts";

/** Compares two definitions of a tool: the code and every setting, line by line. */
export function Differences({
  before,
  after,
}: {
  before: JsonObject;
  after: JsonObject;
}): ReactNode {
  const old = partsOf(before);
  const changed = [...partsOf(after)].filter(([label, text]) => old.get(label) !== text);
  if (changed.length === 0) return <p className="text-soft">{messages.none}</p>;
  return (
    <div className="grid min-w-0 grid-cols-1 gap-4">
      {changed.map(([label, text]) => (
        <Difference key={label} label={label} before={old.get(label) ?? ""} after={text} />
      ))}
    </div>
  );
}

/** Compares one part of a tool, line by line. */
export function Difference({
  label,
  before,
  after,
}: {
  label: string;
  before: string;
  after: string;
}): ReactNode {
  const lines = diffLines(before, after);
  const count = (kind: DiffLine["kind"]) => lines.filter((line) => line.kind === kind).length;
  return (
    <section aria-label={messages.region(label)} className="min-w-0 rounded-lg border border-line">
      <h3 className="flex flex-wrap gap-x-3 border-b border-line bg-raised px-3 py-1.5 text-sm font-medium">
        {label}
        <span className="font-normal text-soft">
          {messages.count(count("added"), count("removed"))}
        </span>
      </h3>
      <div
        // A scrollable region has to be reachable by keyboard.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- WCAG 2.1.1, which axe checks.
        tabIndex={0}
        role="group"
        aria-label={messages.lines(label)}
        className="max-h-128 overflow-auto py-1 font-mono text-xs"
      >
        {toHunks(lines).map((hunk, at) => (
          // oxlint-disable-next-line react/no-array-index-key -- Versions never change, so the order is stable.
          <HunkLines key={at} hunk={hunk} />
        ))}
      </div>
    </section>
  );
}

const styles = { same: "", added: "bg-good-soft", removed: "bg-bad-soft" };
const marks = { same: " ", added: "+", removed: "−" };
const spokenMarks = { same: "", added: messages.added, removed: messages.removed };

function HunkLines({ hunk }: { hunk: Hunk }): ReactNode {
  if ("skipped" in hunk) {
    return (
      <p className="bg-raised px-3 py-0.5 text-xs text-soft">{messages.unchanged(hunk.skipped)}</p>
    );
  }
  return hunk.lines.map(({ kind, text }, at) => (
    // oxlint-disable-next-line react/no-array-index-key -- As above.
    <div key={at} className={classes("flex px-3 wrap-anywhere whitespace-pre-wrap", styles[kind])}>
      <span aria-hidden className="w-5 shrink-0 select-none text-soft">
        {marks[kind]}
      </span>
      <span className="sr-only">{spokenMarks[kind]}</span>
      <span className="min-w-0">{text === "" ? " " : toVisibleText(text)}</span>
    </div>
  ));
}
