import { useMutation } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { api } from "#api/client";
import { errorMessage } from "#api/problem";
import { Button } from "#components/button";
import type { ButtonProps } from "#components/button";
import { showToast } from "#components/toasts";

/** Redirects to the chat platform, where the user picks the team. */
export function ConnectChatButton({
  workspaceId,
  platform,
  ...rest
}: ButtonProps & {
  workspaceId: string;
  platform: string;
}): ReactNode {
  const { mutate, isPending } = useMutation({
    mutationFn: () =>
      api.send("POST /workspaces/{id}/chat/{platform}/connect", {
        params: { id: workspaceId, platform },
      }),
    // The URL only works in this browser.

    onSuccess: ({ url }) => location.assign(url),
    onError: (error) => showToast(errorMessage(error), "bad"),
  });
  return <Button {...rest} isPending={isPending} onPress={() => mutate()} />;
}
