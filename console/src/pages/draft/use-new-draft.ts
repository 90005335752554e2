import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { Draft, JsonObject } from "@toolhost/contract";
import { send } from "#api/client";
import { wordsOf } from "#api/problem";
import { showToast } from "#components/toasts";
import { useOneAtATime } from "#lib/use-one-at-a-time";

/** Begins a draft of a new tool with a definition, and goes to it. `onBegun` is called in between. A refusal is told in a corner. */
export function useNewDraft(onBegun?: () => void): {
  begin: (definition: JsonObject) => void;
  isPending: boolean;
} {
  const client = useQueryClient();
  const navigate = useNavigate();
  const oneAtATime = useOneAtATime();
  const { mutateAsync, isPending } = useMutation({
    mutationFn: (definition: JsonObject) =>
      send<Draft>("POST", "/drafts", { body: { definition } }),
    onSuccess: async ({ id }) => {
      onBegun?.();
      void client.invalidateQueries({ queryKey: ["drafts", "pages"] });
      showToast("This is a new draft.");
      await navigate({ to: "/drafts/$draftId", params: { draftId: id } });
    },
    onError: (error) => showToast(wordsOf(error), "bad"),
  });
  return { begin: (definition) => oneAtATime(() => mutateAsync(definition)), isPending };
}
