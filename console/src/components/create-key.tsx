import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { CreatedApiKey } from "@toolhost/contract";
import type { ReactNode } from "react";
import { send } from "#api/client";
import { errorMessage } from "#api/problem";
import { meQuery } from "#api/queries";
import { Button } from "./button.tsx";
import { showToast } from "./toasts.tsx";

/** Makes a key that may see and run tools, for a client or a script of this name. */
export function CreateKey({
  name,
  onMade,
}: {
  name: string;
  onMade: (key: string) => void;
}): ReactNode {
  const client = useQueryClient();
  const { data: me } = useQuery(meQuery);
  const wanted = ["mcp:read", "mcp:execute"] as const;
  const scopes = wanted.filter((scope) => me?.scopes.includes(scope) === true);
  const { mutate, isPending } = useMutation({
    mutationFn: () =>
      send<CreatedApiKey>("POST", "/api-keys", { body: { name: name.slice(0, 80), scopes } }),
    onSuccess: ({ key }) => {
      onMade(key);
      void client.invalidateQueries({ queryKey: ["api-keys"] });
    },
    onError: (error) => showToast(errorMessage(error), "bad"),
  });
  return (
    <div className="flex flex-wrap items-center gap-3">
      <Button look="primary" isPending={isPending} onPress={() => mutate()}>
        Make a key for it
      </Button>
      <p className="text-sm text-soft">
        It may {scopes.includes("mcp:execute") ? "see and run" : "see"} tools, and is put into what
        you copy.
      </p>
    </div>
  );
}
