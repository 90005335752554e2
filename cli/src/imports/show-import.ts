import type { ImportItem, ImportResource, ImportedTool } from "@toolhost/contract";
import type { Terminal } from "../terminal/terminal.ts";
import { styled, toLine, toTable } from "../terminal/text.ts";

const maxKey = 80;
const maxTitle = 60;

type Listed = { found: ImportResource; items: readonly ImportItem[]; pageUrl: string };
type Created = { found: ImportResource; results: readonly ImportedTool[]; pageUrl: string };

/** Lists what can be imported, and how to choose. */
export function showItems(terminal: Terminal, { found, items, pageUrl }: Listed): void {
  const shorten = shortenFor(terminal);
  terminal.result({ import: found, items, pageUrl }, () => [
    `${shorten(found.title, maxTitle)}: ${found.itemCount} can be imported, ${found.importedCount} are.`,
    ...toTable(items.map((item) => rowOf(item, shorten))),
  ]);
  for (const note of found.notes) terminal.note(note);
  noteChanges(terminal, found, pageUrl);
  terminal.note(
    [
      "Choose with --operation KEY (repeatable), --tag TAG or --search TEXT. Add --publish to publish.",
      `Or choose in the browser: ${pageUrl}`,
    ].join("\n"),
  );
}

/** Shortens a text to one line, except in pipes: a script needs whole keys. */
function shortenFor({ isForPerson }: Terminal) {
  return (text: string, max: number) => toLine(text, isForPerson ? max : Infinity);
}

type Shorten = ReturnType<typeof shortenFor>;

function rowOf(
  { key, title, schemaBytes, toolName, draftId, problem }: ImportItem,
  shorten: Shorten,
): string[] {
  const state =
    problem !== null
      ? styled("red", shorten(problem, maxTitle))
      : toolName !== null
        ? styled("green", toolName)
        : draftId !== null
          ? "draft"
          : "";
  return [shorten(key, maxKey), shorten(title, maxTitle), `${schemaBytes} B`, state];
}

/** Shows what was created, with notes and problems. */
export function showResults(terminal: Terminal, { found, results, pageUrl }: Created): void {
  const { id, kind, title } = found;
  terminal.result({ import: { id, kind, title }, results, pageUrl }, () =>
    results.flatMap((result) => linesOf(result, shortenFor(terminal))),
  );
  noteChanges(terminal, found, pageUrl);
  if (results.some(({ draftId }) => draftId !== null)) {
    terminal.note(`Drafts are yours alone until you publish them. Open them at ${pageUrl}`);
  }
}

function linesOf(
  { key, toolName, draftId, notes, problem }: ImportedTool,
  shorten: Shorten,
): string[] {
  const name = shorten(key, maxKey);
  if (problem !== null) return [`${styled("red", "✗")} ${name}: ${problem}`];
  const made = toolName ?? `draft ${draftId ?? ""}`;
  return [`${styled("green", "✓")} ${name} → ${made}`, ...notes.map((note) => `  ${note}`)];
}

function noteChanges(terminal: Terminal, { changeCount }: ImportResource, pageUrl: string): void {
  if (changeCount === 0) return;
  const changes = changeCount === 1 ? "1 change waits" : `${changeCount} changes wait`;
  terminal.note(`${changes} for review at ${pageUrl}?tab=changes`);
}
