import type { Me } from "@toolhost/contract";
import { themes } from "#lib/theme";
import type { Theme } from "#lib/theme";
import { messages as allMessages } from "./messages.ts";

const messages = allMessages.actions;

/** What the command palette can do besides opening pages and tools. */
export type PaletteAction = { id: string; label: string } & (
  | { kind: "theme"; theme: Theme }
  | { kind: "workspace"; workspaceId: string }
  | { kind: "run"; runId: string }
  | { kind: "shortcuts" }
);

const runIdPattern = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** The actions whose label contains the text; none for an empty one. An ID of a run opens it. */
export function findActions(text: string, me: Pick<Me, "workspace" | "workspaces">) {
  const query = text.trim().toLowerCase();
  if (query === "") return [];
  if (runIdPattern.test(query)) {
    const action: PaletteAction = { id: "run", label: messages.run, kind: "run", runId: query };
    return [action];
  }
  const all: PaletteAction[] = [
    ...me.workspaces
      .filter(({ id }) => id !== me.workspace.id)
      .map(({ id, name }) => ({
        id: `workspace ${id}`,
        label: messages.workspace(name),
        kind: "workspace" as const,
        workspaceId: id,
      })),
    ...themes.map((theme) => ({
      id: `theme ${theme}`,
      label: messages.themes[theme],
      kind: "theme" as const,
      theme,
    })),
    { id: "shortcuts", label: messages.shortcuts, kind: "shortcuts" },
  ];
  return all.filter(({ label }) => label.toLowerCase().includes(query));
}

/** The text after "run", which finds a tool to run; undefined for other texts. */
export function toolToRun(text: string): string | undefined {
  return /^\s*run\s+(\S.*)$/i.exec(text)?.[1]?.trim();
}
