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

/** What is known of the types of the draft's packages; the editor is told of them. */
export type PackageTypesState = {
  packages: PackageTypes["packages"];
  isReading: boolean;
  error: unknown;
  again: () => void;
};

/** Reads the types of the packages that the draft names, and again when they change. The first time takes some seconds. */
export function usePackageTypes(): PackageTypesState {
  const { draft, definition, store } = useDraft();
  const calm = useDebounced(JSON.stringify(dependenciesOf(definition)), 1_000);
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ["package-types", draft.id, calm],
    queryFn: async ({ signal }) => {
      // The service reads the draft as it was saved.
      await store.flush();
      return api.get("/drafts/{id}/package-types", { params: { id: draft.id }, signal });
    },
    enabled: calm !== "{}",
    staleTime: Number.POSITIVE_INFINITY,
    retry: (count, problem) => count < 1 && !isPermanentError(problem),
  });
  const files = data?.files ?? none;
  useEffect(() => declarePackages(files), [files]);
  return {
    packages: data?.packages ?? [],
    isReading: isFetching,
    error: isFetching ? null : error,
    again: () => void refetch(),
  };
}
