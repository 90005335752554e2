import { getRouteApi } from "@tanstack/react-router";
import type { DraftTab } from "./search.ts";

const route = getRouteApi("/drafts/$draftId");

/** Selects a tab of the draft page by writing it into the URL. */
export function useGoToTab(): (tab: DraftTab) => void {
  const navigate = route.useNavigate();
  return (tab) => void navigate({ search: (before) => ({ ...before, tab }), replace: true });
}
