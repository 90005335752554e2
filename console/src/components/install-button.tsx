import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { Tool } from "@toolhost/contract";
import type { ReactNode } from "react";
import { api } from "#api/client";
import { errorMessage } from "#api/problem";
import { Button } from "./button.tsx";
import { showToast } from "./toasts.tsx";

/** Installs a public tool for the workspace, at the version that is shown. */
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
      showToast(`${tool.title} is installed.`);
      await client.invalidateQueries({ queryKey: ["tools"] });
    },
    onError: async (error) => {
      showToast(errorMessage(error), "bad");
      // Another version may have been published, which has to be seen first.
      await client.invalidateQueries({ queryKey: ["tools"] });
    },
  });
  return (
    <Button
      look="primary"
      isPending={isPending}
      aria-label={`Install ${tool.title}`}
      onPress={() => mutate()}
    >
      {isPending ? "Installing…" : "Install"}
    </Button>
  );
}
