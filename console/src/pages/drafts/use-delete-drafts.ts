import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "#api/client";
import { ApiProblem } from "#api/problem";

const maxConcurrent = 4;

/** Deletes drafts, a few at a time. A draft that no longer exists counts as deleted. */
export function useDeleteDrafts() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (ids: readonly string[]) => {
      const left = [...ids];
      const work = async () => {
        for (let id = left.pop(); id !== undefined; id = left.pop()) await deleteDraft(id);
      };
      await Promise.all(Array.from({ length: maxConcurrent }, work));
    },
    onSettled: async () => {
      for (const key of ["drafts", "imports"]) await client.invalidateQueries({ queryKey: [key] });
    },
  });
}

async function deleteDraft(id: string): Promise<void> {
  await api.send("DELETE /drafts/{id}", { params: { id } }).catch((error: unknown) => {
    if (!(error instanceof ApiProblem) || error.status !== 404) throw error;
  });
}
