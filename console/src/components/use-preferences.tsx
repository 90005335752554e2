import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { Preferences, UpdatePreferencesInput } from "@toolhost/contract";
import { api } from "#api/client";
import { errorMessage } from "#api/problem";
import { itemQuery } from "#api/queries";
import { showToast } from "./toasts.tsx";

const query = itemQuery("/preferences");

/** What the user has set for themselves in this workspace. Changes are shown immediately. */
export function usePreferences(): {
  preferences: Preferences | undefined;
  change: (change: UpdatePreferencesInput) => void;
} {
  const client = useQueryClient();
  const { data } = useQuery(query);
  const { mutate } = useMutation({
    mutationFn: (body: UpdatePreferencesInput) => api.send("PUT /preferences", { body }),
    onMutate: (body) => {
      client.setQueryData<Preferences>(query.queryKey, (old) =>
        old === undefined ? old : { ...old, ...(body as Partial<Preferences>) },
      );
    },
    onError: (error) => showToast(errorMessage(error), "bad"),
    onSettled: async () => {
      await client.invalidateQueries({ queryKey: query.queryKey });
      await client.invalidateQueries({ queryKey: ["tools", "summaries"] });
    },
  });
  return { preferences: data, change: mutate };
}
