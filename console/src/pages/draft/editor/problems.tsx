import { CircleCheck, CircleX, LoaderCircle } from "lucide-react";
import type { ReactNode } from "react";
import { useEffect, useState } from "react";
import { classes } from "#lib/class-names";
import { firstCheck } from "./language.ts";
import { editor, MarkerSeverity, Uri } from "./monaco.ts";

type Found = { line: number; column: number; message: string };

const most = 50;

/** What is wrong in a file, line by line. A press goes to the place. */
export default function Problems({
  path,
  onGo,
}: {
  path: string;
  onGo: (line: number, column: number) => void;
}): ReactNode {
  const [found, setFound] = useState<Found[]>([]);
  const [checked, setChecked] = useState<string>();
  useEffect(() => {
    let isOpen = true;
    const end = () => (isOpen ? setChecked(path) : undefined);
    firstCheck(path).then(end, end);
    return () => {
      isOpen = false;
    };
  }, [path]);
  useEffect(() => {
    const uri = Uri.file(path);
    const read = () => {
      const markers = editor.getModelMarkers({ resource: uri });
      const errors = markers.filter(({ severity }) => severity === MarkerSeverity.Error);
      setFound(
        errors.map(({ startLineNumber, startColumn, message }) => ({
          line: startLineNumber,
          column: startColumn,
          message,
        })),
      );
    };
    read();
    const changes = editor.onDidChangeMarkers((changed) => {
      if (changed.some((one) => one.toString() === uri.toString())) read();
    });
    return () => changes.dispose();
  }, [path]);
  const isChecking = found.length === 0 && checked !== path;
  const Icon = isChecking ? LoaderCircle : found.length === 0 ? CircleCheck : CircleX;
  return (
    <section
      aria-label="Problems"
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
        {found.length === 0
          ? isChecking
            ? "Checking…"
            : "No problems"
          : found.length === 1
            ? "1 problem"
            : `${found.length} problems`}
      </p>
      {found.length === 0 ? null : (
        <ul className="mt-1 grid gap-0.5">
          {found.slice(0, most).map(({ line, column, message }) => (
            <li key={`${line}:${column}:${message}`}>
              <button
                type="button"
                className="rounded px-1 text-left hover:bg-raised"
                onClick={() => onGo(line, column)}
              >
                <span className="text-soft">Line {line}:</span> {message}
              </button>
            </li>
          ))}
          {found.length > most ? (
            <li className="px-1 text-soft">And {found.length - most} more.</li>
          ) : null}
        </ul>
      )}
    </section>
  );
}
