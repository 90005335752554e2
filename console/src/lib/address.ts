import { useNavigate, useSearch } from "@tanstack/react-router";
import type { Search } from "../router.tsx";

type Change = (change: Search, isNewEntry?: boolean) => void;

/**
 * What a page keeps in its address, and how it changes some of it. A change replaces the entry of the browser's history unless
 * it is said to be a new one.
 */
export function useAddress(): [Search, Change] {
  const search: Search = useSearch({ strict: false });
  const navigate = useNavigate();
  const change: Change = (values, isNewEntry = false) => {
    void navigate({
      to: ".",
      search: (before: Search) => ({ ...before, ...values }),
      replace: !isNewEntry,
    });
  };
  return [search, change];
}
