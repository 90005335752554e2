import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { JsonObject } from "@toolhost/contract";
import { api } from "#api/client";
import { errorMessage } from "#api/problem";
import { useSingleFlight } from "#lib/use-single-flight";
import { showToast } from "./toasts.tsx";

/**
 * Begins a draft of a new tool with a definition, once however often it is asked to, and goes to it. `onCreated` is called in
 * between. A refusal is told in a corner.
 */
export function useCreateDraft(onCreated?: () => void): {
  begin: (definition: JsonObject) => void;
  isPending: boolean;
} {
  const client = useQueryClient();
  const navigate = useNavigate();
  const oneAtATime = useSingleFlight();
  const { mutateAsync, isPending } = useMutation({
    mutationFn: (definition: JsonObject) => api.send("POST /drafts", { body: { definition } }),
    onSuccess: async ({ id }) => {
      onCreated?.();
      void client.invalidateQueries({ queryKey: ["drafts", "pages"] });
      await navigate({ to: "/drafts/$draftId", params: { draftId: id } });
    },
    onError: (error) => showToast(errorMessage(error), "bad"),
  });
  return { begin: (definition) => oneAtATime(() => mutateAsync(definition)), isPending };
}
