import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { ApiRequest } from "@toolhost/contract/api";
import { api } from "#api/client";
import { errorMessage } from "#api/problem";
import { showToast } from "#components/toasts";
import { useSingleFlight } from "#lib/use-single-flight";
import { messages } from "./messages.ts";

type Wanted = {
  request: ApiRequest<"POST /drafts/from-request">["body"];
  credentials: readonly ApiRequest<"POST /credentials">["body"][];
};

/**
 * Creates the draft, then the credentials, and opens the draft. A credential that could not be saved is reported, and the
 * draft's page lists as missing.
 */
export function useCreateFromRequest() {
  const client = useQueryClient();
  const navigate = useNavigate();
  const oneAtATime = useSingleFlight();
  const { mutateAsync, isPending, error } = useMutation({
    mutationFn: async ({ request, credentials }: Wanted) => {
      const draft = await api.send("POST /drafts/from-request", { body: request });
      for (const body of credentials) {
        await api
          .send("POST /credentials", { body })
          .catch((reason: unknown) =>
            showToast(messages.notSaved(body.name, errorMessage(reason)), "bad"),
          );
      }
      return draft;
    },
    // The variables contain secrets, so they are not cached.
    gcTime: 0,
    onSuccess: async ({ id, title, notes }) => {
      showToast([messages.created(title), ...notes].join(". "));
      void client.invalidateQueries({ queryKey: ["drafts", "pages"] });
      void client.invalidateQueries({ queryKey: ["credentials"] });
      await navigate({ to: "/drafts/$draftId", params: { draftId: id } });
    },
  });
  const create = (wanted: Wanted) => oneAtATime(() => mutateAsync(wanted));
  return { create, isPending, error };
}
