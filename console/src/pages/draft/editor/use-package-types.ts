import { useQuery } from "@tanstack/react-query";
import type { PackageTypes } from "@toolhost/contract";
import { useEffect } from "react";
import { api } from "#api/client";
import { isPermanentError } from "#api/problem";
import { dependenciesOf } from "../definition/read-definition.ts";
import { useDraft } from "../draft-context.ts";
import { useDebounced } from "../use-debounced.ts";
import { declarePackages } from "./language.ts";

const none: PackageTypes["files"] = [];

/** The types of the packages of the draft, which are added to the editor. */
export type PackageTypesState = {
  packages: PackageTypes["packages"];
  isLoading: boolean;
  error: unknown;
  retry: () => void;
};

/** Loads the types of the packages that the draft uses, and again when they change. The first load can take seconds. */
export function usePackageTypes(): PackageTypesState {
  const { draft, definition, store } = useDraft();
  const settled = useDebounced(JSON.stringify(dependenciesOf(definition)), 1_000);
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ["package-types", draft.id, settled],
    queryFn: async ({ signal }) => {
      // The service reads the saved draft.
      await store.flush();
      return api.get("/drafts/{id}/package-types", { params: { id: draft.id }, signal });
    },
    enabled: settled !== "{}",
    staleTime: Number.POSITIVE_INFINITY,
    retry: (count, problem) => count < 1 && !isPermanentError(problem),
  });
  const files = data?.files ?? none;
  useEffect(() => declarePackages(files), [files]);
  return {
    packages: data?.packages ?? [],
    isLoading: isFetching,
    error: isFetching ? null : error,
    retry: () => void refetch(),
  };
}
