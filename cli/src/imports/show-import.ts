import type { ImportItem, ImportResource, ImportedTool } from "@toolhost/contract";
import { command } from "../terminal/shell-command.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { styled, toLine, toTable, withoutBreaks } from "../terminal/text.ts";
import type { MissingCredential } from "./missing-credentials.ts";

const maxKey = 80;
const maxTitle = 60;

type Listed = { found: ImportResource; items: readonly ImportItem[]; pageUrl: string };
type Created = {
  found: ImportResource;
  results: readonly ImportedTool[];
  pageUrl: string;
  /** Credentials that the created tools need and the user does not have. */
  missing: readonly MissingCredential[];
};

/** Lists what can be imported, and how to choose. */
export function showItems(terminal: Terminal, { found, items, pageUrl }: Listed): void {
  const shorten = shortenFor(terminal);
  terminal.result({ import: found, items, pageUrl }, () => [
    `${shorten(found.title, maxTitle)}: ${found.importedCount} of ${found.itemCount} imported`,
    ...toTable(items.map((item) => rowOf(item, shorten))),
  ]);
  for (const note of found.notes) terminal.note(withoutBreaks(note));
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
export function showResults(
  terminal: Terminal,
  { found, results, pageUrl, missing }: Created,
): void {
  const { id, kind, title } = found;
  const draftsUrl = new URL("../drafts/", pageUrl).href;
  terminal.result({ import: { id, kind, title }, results, missing, pageUrl }, () =>
    linesOfAll(results, draftsUrl, shortenFor(terminal)),
  );
  for (const note of found.notes) terminal.note(withoutBreaks(note));
  for (const { name, hosts } of missing) {
    const save = command`toolhost secret set ${name} --hosts ${hosts.join(",")}`;
    terminal.note(`It needs ${name}: ${save}`);
  }
  noteChanges(terminal, found, pageUrl);
  if (results.some(({ draftId }) => draftId !== null)) {
    terminal.note(`Drafts are yours alone until you publish them. Open them at ${pageUrl}`);
  }
}

/** Notes of more tools than this are shown once, with the number of tools. */
const maxSameNotes = 3;

/** Each result with its notes, then the notes that many of them share. */
function linesOfAll(
  results: readonly ImportedTool[],
  draftsUrl: string,
  shorten: Shorten,
): string[] {
  const counts = new Map<string, number>();
  const made = results.filter(({ problem }) => problem === null);
  for (const note of made.flatMap(({ notes }) => notes)) {
    counts.set(note, (counts.get(note) ?? 0) + 1);
  }
  const shared = [...counts].filter(([, count]) => count > maxSameNotes);
  const isShared = new Set(shared.map(([note]) => note));
  return [
    ...results.flatMap((result) => {
      const notes = result.notes.filter((note) => !isShared.has(note));
      return linesOf({ ...result, notes }, draftsUrl, shorten);
    }),
    ...shared.map(([note, count]) => `${count} of ${made.length} tools: ${withoutBreaks(note)}`),
  ];
}

function linesOf(
  { key, toolName, draftId, notes, problem }: ImportedTool,
  draftsUrl: string,
  shorten: Shorten,
): string[] {
  const name = shorten(key, maxKey);
  if (problem !== null) return [`${styled("red", "✗")} ${name}: ${withoutBreaks(problem)}`];
  const made = toolName ?? `draft ${draftsUrl}${draftId ?? ""}`;
  return [
    `${styled("green", "✓")} ${name} → ${made}`,
    ...notes.map((note) => `  ${withoutBreaks(note)}`),
  ];
}

function noteChanges(
  terminal: Terminal,
  { id, changeCount }: ImportResource,
  pageUrl: string,
): void {
  if (changeCount === 0) return;
  const changes = changeCount === 1 ? "1 change waits" : `${changeCount} changes wait`;
  const show = command`toolhost imports changes ${id}`;
  terminal.note(`${changes} for review: ${show}, or ${pageUrl}?tab=changes`);
}
