import { useMutation } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { send } from "#api/client";
import { errorMessage } from "#api/problem";
import { Button } from "#components/button";
import type { ButtonProps } from "#components/button";
import { showToast } from "#components/toasts";

/** Leads to a chat platform, which asks which team it is about. */
export function ConnectChatButton({
  path,
  platform,
  ...rest
}: ButtonProps & {
  /** Where the workspace's chats are. */
  path: string;
  platform: string;
}): ReactNode {
  const { mutate, isPending } = useMutation({
    mutationFn: () => send<{ url: string }>("POST", `${path}/${platform}/connect`),
    // The address is for this browser alone.
    onSuccess: ({ url }) => location.assign(url),
    onError: (error) => showToast(errorMessage(error), "bad"),
  });
  return <Button {...rest} isPending={isPending} onPress={() => mutate()} />;
}
