import { getRouteApi } from "@tanstack/react-router";
import type { DraftTab } from "./search.ts";

const route = getRouteApi("/drafts/$draftId");

/** Shows a part of the draft by its tab, which stands in the address. */
export function useGoToTab(): (tab: DraftTab) => void {
  const navigate = route.useNavigate();
  return (tab) => void navigate({ search: (before) => ({ ...before, tab }), replace: true });
}
