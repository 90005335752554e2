import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { UpdateWorkspaceSettingsInput } from "@toolhost/contract";
import { api } from "#api/client";
import { hasFieldError } from "#api/field-errors";
import { errorMessage } from "#api/problem";
import { showToast } from "#components/toasts";

/** Changes settings of a workspace. A toast shows errors, except those of the given fields, which the form shows. */
export function useUpdateSettings(
  workspaceId: string,
  saved: string,
  fieldPaths: readonly string[] = [],
) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: UpdateWorkspaceSettingsInput) =>
      api.send("PATCH /workspaces/{id}/settings", { params: { id: workspaceId }, body }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ["workspaces", workspaceId, "settings"] });
      showToast(saved);
    },
    onError: (error) => {
      if (!hasFieldError(error, fieldPaths)) showToast(errorMessage(error), "bad");
    },
  });
}
