import type { ImportResource } from "@toolhost/contract";
import { hostToAllow } from "#lib/allowed-hosts";

export type ImportServer = ImportResource["servers"][number];

/** A base URL that the user chose: one of the document's servers with its variables, or another. */
export type ServerChoice =
  | { index: number; variables: Readonly<Record<string, string>> }
  | { other: string };

/** The choice to start with: the document's first server. */
export function defaultChoice({ servers }: Pick<ImportResource, "servers">): ServerChoice {
  return servers.length === 0 ? { other: "" } : { index: 0, variables: {} };
}

/** The base URL of a choice; undefined if it is not a web URL. */
export function resolveServer(
  { servers, url }: Pick<ImportResource, "servers" | "url">,
  choice: ServerChoice,
): string | undefined {
  if ("other" in choice) return webUrl(choice.other.trim());
  const server = servers[choice.index];
  if (server === undefined) return undefined;
  const filled = server.variables.reduce(
    (text, { name, default: value }) =>
      text.replaceAll(`{${name}}`, choice.variables[name] ?? value),
    server.url,
  );
  const base = url ?? undefined;
  return URL.canParse(filled, base) && !/[{}]/.test(filled)
    ? webUrl(new URL(filled, base).href)
    : undefined;
}

/** Whether a choice is the default of the document, which tools then follow when it changes. */
export function isDefaultChoice(choice: ServerChoice): boolean {
  return "index" in choice && choice.index === 0 && Object.keys(choice.variables).length === 0;
}

function webUrl(text: string): string | undefined {
  return hostToAllow(text) === undefined ? undefined : text;
}
