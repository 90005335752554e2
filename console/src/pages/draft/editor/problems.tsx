import { CircleCheck, CircleX, LoaderCircle } from "lucide-react";
import type { ReactNode } from "react";
import { useEffect, useState } from "react";
import { classes } from "#lib/class-names";
import { firstCheck } from "./language.ts";
import { messages as allMessages } from "./messages.ts";
import { missingMember } from "./missing-member.ts";
import { editor, MarkerSeverity, Uri } from "./monaco.ts";

const messages = allMessages.problems;

type Found = { line: number; column: number; message: string; missing: string | undefined };

const maxShown = 50;

/** The problems of a file, by line. Selecting one moves the cursor there. */
export default function Problems({
  path,
  onGo,
  onAddInput,
}: {
  path: string;
  onGo: (line: number, column: number) => void;
  /** Adds a member that the code reads to the input schema. */
  onAddInput: (name: string) => void;
}): ReactNode {
  const [found, setFound] = useState<Found[]>([]);
  const [checked, setChecked] = useState<string>();
  useEffect(() => {
    let isOpen = true;
    const finish = () => (isOpen ? setChecked(path) : undefined);
    firstCheck(path).then(finish, finish);
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
        errors.map(({ startLineNumber, startColumn, message, code }) => ({
          line: startLineNumber,
          column: startColumn,
          message,
          missing: missingMember(typeof code === "object" ? code.value : (code ?? ""), message),
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
          {found.slice(0, maxShown).map(({ line, column, message, missing }) => (
            <li key={`${line}:${column}:${message}`} className="flex flex-wrap items-center gap-1">
              <button
                type="button"
                className="rounded px-1 text-left hover:bg-raised"
                onClick={() => onGo(line, column)}
              >
                <span className="text-soft">{messages.line(line)}</span> {message}
              </button>
              {missing === undefined ? null : (
                <button
                  type="button"
                  className="cursor-pointer rounded px-1 font-medium text-strong underline"
                  onClick={() => onAddInput(missing)}
                >
                  {messages.addInput(missing)}
                </button>
              )}
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
