import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { Preferences, UpdatePreferencesInput } from "@toolhost/contract";
import { api } from "#api/client";
import { errorMessage } from "#api/problem";
import { itemQuery } from "#api/queries";
import { showToast } from "./toasts.tsx";

type Update = (latest: Preferences) => UpdatePreferencesInput;

const query = itemQuery("/preferences");

/** What the user has set for themselves in this workspace. Changes are shown immediately. */
export function usePreferences(): {
  preferences: Preferences | undefined;
  /** Applies a change to the latest preferences, since another tab may have changed them. */
  change: (update: Update, options?: { onSuccess: () => void }) => void;
  isPending: boolean;
} {
  const client = useQueryClient();
  const { data } = useQuery(query);
  const { mutate, isPending } = useMutation({
    // One after the other, so that each sees the change before it.
    scope: { id: "preferences" },
    mutationFn: async (update: Update) =>
      api.send("PUT /preferences", { body: update(await api.get("/preferences")) }),
    onMutate: (update) => {
      client.setQueryData<Preferences>(query.queryKey, (old) =>
        old === undefined ? old : { ...old, ...(update(old) as Partial<Preferences>) },
      );
    },
    onError: (error) => showToast(errorMessage(error), "bad"),
    onSettled: async () => {
      await client.invalidateQueries({ queryKey: query.queryKey });
      await client.invalidateQueries({ queryKey: ["tools", "summaries"] });
    },
  });
  return { preferences: data, change: mutate, isPending };
}
