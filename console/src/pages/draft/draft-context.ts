import type { Draft, JsonObject } from "@toolhost/contract";
import { createContext, use } from "react";
import type { DraftState, DraftStore } from "./store/draft-store.ts";

/** The open draft, for all parts of its page. */
export type OpenDraft = {
  draft: Draft;
  store: DraftStore;
  state: DraftState;
  definition: JsonObject;
  change: DraftStore["change"];
};

export const DraftContext = createContext<OpenDraft | undefined>(undefined);

/** Returns the open draft. Throws outside the draft page. */
export function useDraft(): OpenDraft {
  const open = use(DraftContext);
  if (open === undefined) throw new Error("No draft is open");
  return open;
}
