import { CircleCheck, CircleX, LoaderCircle } from "lucide-react";
import type { ReactNode } from "react";
import { useSyncExternalStore } from "react";
import { classes } from "#lib/class-names";
import type { CodeMarker } from "./code-marker.ts";
import { messages as allMessages } from "./messages.ts";
import { onProblems, openFileAt } from "./open-files.ts";
import type { FindHelp, ProblemHelp } from "./problem-help.ts";

const messages = allMessages.problems;

const maxShown = 50;

/** The problems of a file. Selecting one moves the cursor there. */
export default function Problems({
  path,
  markers,
  onGo,
  findHelp,
}: {
  path: string;
  /** The errors of the last run. */
  markers: readonly CodeMarker[];
  onGo: (line: number, column: number) => void;
  findHelp: FindHelp;
}): ReactNode {
  const problems = useSyncExternalStore(onProblems, () => openFileAt(path)?.problems);
  const errors = (problems ?? []).filter(({ severity }) => severity === "error");
  const failed = markers.map(({ line, column = 1, message }) => ({
    line,
    column,
    message,
    code: 0,
  }));
  const found = [...errors, ...failed];
  const isChecking = problems === undefined && found.length === 0;
  const Icon = isChecking ? LoaderCircle : found.length === 0 ? CircleCheck : CircleX;
  return (
    <section
      aria-label={messages.title}
      className="max-h-40 shrink-0 overflow-auto border-t border-line px-3 py-1.5 text-sm"
    >
      <p
        role="status"
        className={classes(
          "flex items-center gap-1.5",
          found.length === 0 ? "text-soft" : "text-bad",
        )}
      >
        <Icon size={15} aria-hidden />
        {isChecking ? messages.checking : messages.count(found.length)}
      </p>
      {found.length === 0 ? null : (
        <ul className="mt-1 grid gap-0.5">
          {found.slice(0, maxShown).map(({ line, column, message, code }) => (
            <li key={`${line}:${column}:${message}`} className="flex flex-wrap items-center gap-1">
              <button
                type="button"
                className="rounded px-1 text-left hover:bg-raised"
                onClick={() => onGo(line, column)}
              >
                <span className="text-soft">{messages.line(line)}</span> {message}
              </button>
              <Help help={findHelp(code, message)} />
            </li>
          ))}
          {found.length > maxShown ? (
            <li className="px-1 text-soft">{messages.more(found.length - maxShown)}</li>
          ) : null}
        </ul>
      )}
    </section>
  );
}

function Help({ help }: { help: ProblemHelp | undefined }): ReactNode {
  const { fix, note, error } = help ?? {};
  return (
    <>
      {fix === undefined ? null : (
        <button
          type="button"
          className="cursor-pointer rounded px-1 font-medium text-strong underline"
          onClick={fix.apply}
        >
          {fix.title}
        </button>
      )}
      {note === undefined ? null : <span className="px-1 text-soft">{note}</span>}
      {error === undefined ? null : (
        <span role="alert" className="px-1 text-bad wrap-anywhere">
          {error}
        </span>
      )}
    </>
  );
}
