import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { Tool } from "@toolhost/contract";
import type { ReactNode } from "react";
import { api } from "#api/client";
import { errorMessage } from "#api/problem";
import { Button } from "./button.tsx";
import { messages as allMessages } from "./messages-catalog.ts";
import { showToast } from "./toasts.tsx";

const messages = allMessages.install;

/** Installs the shown version of a public tool in the workspace. */
export function InstallButton({
  tool,
}: {
  tool: Pick<Tool, "name" | "title" | "version">;
}): ReactNode {
  const client = useQueryClient();
  const { mutate, isPending } = useMutation({
    mutationFn: () =>
      api.send("POST /tools/{name}/install", {
        params: { name: tool.name },
        body: { version: tool.version },
      }),
    onSuccess: async () => {
      showToast(messages.done(tool.title));
      await client.invalidateQueries({ queryKey: ["tools"] });
    },
    onError: async (error) => {
      showToast(errorMessage(error), "bad");
      // Reload, because another version may have been published, which needs review first.
      await client.invalidateQueries({ queryKey: ["tools"] });
    },
  });
  return (
    <Button
      look="primary"
      isPending={isPending}
      aria-label={messages.named(tool.title)}
      onPress={() => mutate()}
    >
      {isPending ? messages.pending : messages.button}
    </Button>
  );
}
