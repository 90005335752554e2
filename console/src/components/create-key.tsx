import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { api } from "#api/client";
import { errorMessage } from "#api/problem";
import { meQuery } from "#api/queries";
import { Button } from "./button.tsx";
import { showToast } from "./toasts.tsx";
import { messages } from "./messages.ts";

/** Creates an API key that can view and run tools, named after the client or script that uses it. */
export function CreateKey({
  name,
  onCreated,
}: {
  name: string;
  onCreated: (key: string) => void;
}): ReactNode {
  const client = useQueryClient();
  const { data: me } = useQuery(meQuery);
  const scopes = (["mcp:read", "mcp:execute"] as const).filter(
    (scope) => me?.scopes.includes(scope) === true,
  );
  const { mutate, isPending } = useMutation({
    mutationFn: () => api.send("POST /api-keys", { body: { name: name.slice(0, 80), scopes } }),
    onSuccess: ({ key }) => {
      onCreated(key);
      void client.invalidateQueries({ queryKey: ["api-keys"] });
    },
    onError: (error) => showToast(errorMessage(error), "bad"),
  });
  return (
    <div className="flex flex-wrap items-center gap-3">
      <Button look="primary" isPending={isPending} onPress={() => mutate()}>
        {messages.createKey.action}
      </Button>
      <p className="text-sm text-soft">
        {scopes.includes("mcp:execute") ? messages.createKey.canRun : messages.createKey.canView}
      </p>
    </div>
  );
}
