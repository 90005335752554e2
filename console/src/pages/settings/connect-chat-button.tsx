import { useMutation } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { send } from "#api/client";
import { errorMessage } from "#api/problem";
import { Button } from "#components/button";
import type { ButtonProps } from "#components/button";
import { showToast } from "#components/toasts";

/** Redirects to the chat platform, where the user picks the team. */
export function ConnectChatButton({
  path,
  platform,
  ...rest
}: ButtonProps & {
  /** The API path of the workspace's chat connections. */
  path: string;
  platform: string;
}): ReactNode {
  const { mutate, isPending } = useMutation({
    mutationFn: () => send<{ url: string }>("POST", `${path}/${platform}/connect`),
    // The URL only works in this browser.

    onSuccess: ({ url }) => location.assign(url),
    onError: (error) => showToast(errorMessage(error), "bad"),
  });
  return <Button {...rest} isPending={isPending} onPress={() => mutate()} />;
}
