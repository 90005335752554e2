import process from "node:process";
import type { Client } from "@toolhost/client";
import type { ImportItem, ImportResource } from "@toolhost/contract";
import type { Session } from "../session.ts";
import { CliError, usageError } from "../terminal/cli-error.ts";
import { exitCodes } from "../terminal/exit-codes.ts";
import { toLine, toTerminalText } from "../terminal/text.ts";

export type Choice = {
  operation?: readonly string[];
  tag?: string;
  search?: string;
  again?: boolean;
};

type Chosen = { items: ImportItem[]; isListed: boolean };

const maxLabel = 100;
const maxShown = 12;

/** The items that the options name, or that the user selects. Without either, all items, only to be listed. */
export async function chooseItems(
  session: Session,
  client: Client,
  { id }: ImportResource,
  { operation = [], tag, search, again = false }: Choice,
): Promise<Chosen> {
  if (operation.length > 0 && (tag !== undefined || search !== undefined)) {
    throw usageError("Use either --operation, or --tag and --search.");
  }
  const isFiltered = tag !== undefined || search !== undefined;
  const query = {
    limit: 200,
    ...(tag === undefined ? {} : { tag }),
    ...(search === undefined ? {} : { q: search }),
  };
  const items: ImportItem[] = [];
  for await (const item of client.list("/imports/{id}/items", { params: { id }, query })) {
    items.push(item);
  }
  if (operation.length > 0) return { items: named(items, operation), isListed: false };
  const possible = items.filter(({ problem }) => problem === null);
  if (isFiltered) {
    if (possible.length === 0) throw notFound("No operation matches --tag and --search.");
    return { items: possible, isListed: false };
  }
  const open = possible.filter(({ toolName }) => again || toolName === null);
  if (!session.terminal.isInteractive || open.length === 0) return { items, isListed: true };
  return { items: await ask(open), isListed: false };
}

function named(items: readonly ImportItem[], keys: readonly string[]): ImportItem[] {
  const byKey = new Map(items.map((item) => [item.key, item]));
  return [...new Set(keys)].map((key) => {
    const item = byKey.get(key);
    if (item !== undefined) return item;
    throw notFound(`The source has no operation "${key}".`);
  });
}

function notFound(message: string): CliError {
  const next = ["toolhost import SOURCE   (lists what can be imported)"];
  return new CliError(message, { code: "not_found", exitCode: exitCodes.notFound, next });
}

/** Asks on the terminal, with a search. Nothing is selected at first. */
async function ask(items: readonly ImportItem[]): Promise<ImportItem[]> {
  const { autocompleteMultiselect, isCancel } = await import("@clack/prompts");
  const options = items.map((item, index) => ({
    value: index,
    label: clean(item.title === item.key ? item.key : `${item.title} (${item.key})`),
    hint: clean(item.tags.join(", ")),
  }));
  const selected = await autocompleteMultiselect({
    message: "What should become tools? Type to search, Tab to select.",
    options,
    maxItems: maxShown,
    required: true,
    output: process.stderr,
  });
  if (isCancel(selected)) {
    throw new CliError("Cancelled.", { code: "interrupted", exitCode: exitCodes.interrupted });
  }
  return selected.map((index) => items[index]).filter((item) => item !== undefined);
}

/** Keys and titles are of the source: they must not control the terminal. */
function clean(text: string): string {
  return toTerminalText(toLine(text, maxLabel), false);
}
