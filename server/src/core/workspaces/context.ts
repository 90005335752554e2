import type { ImportsContext } from "#core/imports";

export type WorkspacesContext = ImportsContext;
