import { useNavigate } from "@tanstack/react-router";

/** Shows a part of the draft by its tab, which stands in the address. */
export function useGoToTab(): (tab: string) => void {
  const navigate = useNavigate();
  return (tab) =>
    void navigate({ to: ".", search: (before) => ({ ...before, tab }), replace: true });
}
