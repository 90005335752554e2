import type { ImportedTool, ImportItem } from "@toolhost/contract";
import type { ReactNode } from "react";
import { LinkButton } from "#components/button";
import { itemMessages } from "./messages.ts";
import { Name } from "#components/name";

const messages = itemMessages.result;

/** What became of each item: its tool or draft with notes, or why there is none. */
export function CreationResult({
  items,
  results,
  kind,
}: {
  items: readonly Pick<ImportItem, "key" | "title">[];
  results: readonly ImportedTool[];
  kind: "drafts" | "publish";
}): ReactNode {
  const titles = new Map(items.map(({ key, title }) => [key, title]));
  const failed = results.filter(({ problem }) => problem !== null);
  const shared = sharedNotes(results);
  // Problems first, because they need attention.
  const sorted = [...failed, ...results.filter(({ problem }) => problem === null)];
  return (
    <>
      <p role="status" className="text-sm">
        {messages.summary[kind](results.length - failed.length)}{" "}
        {failed.length === 0 ? null : messages.notCreated(failed.length)}
      </p>
      {shared.length === 0 ? null : (
        <ul className="list-disc pl-5 text-sm text-soft">
          {shared.map(({ note, count }) => (
            <li key={note}>
              {messages.ofTools(count)} {note}
            </li>
          ))}
        </ul>
      )}
      <ul
        aria-label={messages.list}
        className="max-h-[60vh] divide-y divide-line overflow-auto rounded-xl border border-line"
      >
        {sorted.map((result) => (
          <li key={result.key}>
            <ResultRow
              result={{
                ...result,
                notes: result.notes.filter((note) => !shared.some((one) => one.note === note)),
              }}
              title={titles.get(result.key) ?? result.key}
            />
          </li>
        ))}
      </ul>
    </>
  );
}

/** Notes of several tools, which are shown once. */
function sharedNotes(results: readonly ImportedTool[]): { note: string; count: number }[] {
  const notes = Map.groupBy(
    results.flatMap((result) => result.notes),
    (note) => note,
  );
  return [...notes].flatMap(([note, all]) => (all.length > 1 ? [{ note, count: all.length }] : []));
}

function ResultRow({ result, title }: { result: ImportedTool; title: string }): ReactNode {
  const { key, toolName, draftId, notes, problem } = result;
  return (
    <div className="flex flex-wrap items-start justify-between gap-2 px-4 py-3">
      <div className="min-w-0 flex-1 basis-60 text-sm">
        <p className="font-medium">
          <Name>{title}</Name>
        </p>
        {key === title ? null : (
          <p className="font-mono text-xs wrap-anywhere text-soft">
            <bdi>{key}</bdi>
          </p>
        )}
        {problem === null ? null : (
          <p className="wrap-anywhere text-bad">
            {messages.problem} {problem}
          </p>
        )}
        {notes.length === 0 ? null : (
          <ul className="mt-1 list-disc pl-5 text-soft">
            {notes.map((note) => (
              <li key={note}>{note}</li>
            ))}
          </ul>
        )}
      </div>
      {toolName !== null ? (
        <LinkButton
          to="/tools/$name"
          params={{ name: toolName }}
          aria-label={itemMessages.toolOf(title)}
        >
          {itemMessages.tool}
        </LinkButton>
      ) : draftId !== null ? (
        <LinkButton
          to="/drafts/$draftId"
          params={{ draftId }}
          aria-label={itemMessages.draftOf(title)}
        >
          {itemMessages.draft}
        </LinkButton>
      ) : null}
    </div>
  );
}
