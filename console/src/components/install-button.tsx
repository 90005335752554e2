import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { Tool } from "@toolhost/contract";
import type { ReactNode } from "react";
import { send } from "#api/client";
import { wordsOf } from "#api/problem";
import { Button } from "./button.tsx";
import { showToast } from "./toasts.tsx";

/** Lets everybody in the workspace use a public tool. */
export function InstallButton({ tool }: { tool: Pick<Tool, "name" | "title"> }): ReactNode {
  const client = useQueryClient();
  const { mutate, isPending } = useMutation({
    mutationFn: () => send<Tool>("POST", `/tools/${tool.name}/install`),
    onSuccess: async () => {
      showToast(`${tool.title} is installed.`);
      await client.invalidateQueries({ queryKey: ["tools"] });
    },
    onError: (error) => showToast(wordsOf(error), "bad"),
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
