import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { JsonObject } from "@toolhost/contract";
import { api } from "#api/client";
import { errorMessage } from "#api/problem";
import { useSingleFlight } from "#lib/use-single-flight";
import { showToast } from "./toasts.tsx";

/**
 * Creates a draft of a new tool from a definition and opens it; repeated calls create it once. Calls `onCreated` before it opens
 * the draft. Shows errors in a toast.
 */
export function useCreateDraft(onCreated?: () => void): {
  create: (definition: JsonObject) => void;
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
  return { create: (definition) => oneAtATime(() => mutateAsync(definition)), isPending };
}
