import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { mayDo } from "@toolhost/contract/roles";
import { HandHelping } from "lucide-react";
import type { ReactNode } from "react";
import { api } from "#api/client";
import { errorMessage } from "#api/problem";
import { itemQuery, meQuery } from "#api/queries";
import { Button } from "#components/button";
import { showToast } from "#components/toasts";
import { messages as allMessages } from "./messages-on-demand.ts";

const messages = allMessages.askAdmin;

/** Lets users request a credential of the workspace that they cannot add. */
export function AskAdmin({ name }: { name: string }): ReactNode {
  const client = useQueryClient();
  const { data: me } = useQuery(meQuery);
  const { data: pending = [] } = useQuery(itemQuery("/credential-requests"));
  const ask = useMutation({
    mutationFn: () => api.send("POST /tools/{name}/credential-requests", { params: { name } }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ["credential-requests"] });
      showToast(messages.sent);
    },
    onError: (error) => showToast(errorMessage(error), "bad"),
  });
  if (me === undefined || mayDo(me.workspace.role, "credentials:share")) return null;
  if (pending.some(({ tool }) => tool.name === name))
    return <p className="text-sm text-soft">{messages.pending}</p>;
  return (
    <div className="flex flex-wrap items-center gap-3 text-sm">
      <p>{messages.hint}</p>
      <Button isPending={ask.isPending} onPress={() => ask.mutate()}>
        <HandHelping size={16} aria-hidden />
        {messages.ask}
      </Button>
    </div>
  );
}
