import type { Draft, JsonObject } from "@toolhost/contract";
import { createContext, use } from "react";
import type { DraftState, DraftStore } from "./store/draft-store.ts";

/** The draft that a page is about. */
export type OpenDraft = {
  draft: Draft;
  store: DraftStore;
  state: DraftState;
  definition: JsonObject;
  change: DraftStore["change"];
};

export const DraftContext = createContext<OpenDraft | undefined>(undefined);

/** The draft that is open. Throws outside of its page. */
export function useDraft(): OpenDraft {
  const open = use(DraftContext);
  if (open === undefined) throw new Error("No draft is open");
  return open;
}
