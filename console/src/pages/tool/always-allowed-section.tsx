import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { ToolDetail } from "@toolhost/contract";
import type { ReactNode } from "react";
import { api } from "#api/client";
import { errorMessage } from "#api/problem";
import { itemQuery } from "#api/queries";
import { When } from "#components/badges";
import { Button } from "#components/button";
import { Card } from "#components/page";
import { showToast } from "#components/toasts";
import { messages as allMessages } from "./messages-sharing.ts";

const messages = allMessages.alwaysAllowed;

/** The user's permission to run the tool from chats without a confirmation, if they gave it. */
export function AlwaysAllowedSection({ tool: { name } }: { tool: ToolDetail }): ReactNode {
  const { data } = useQuery(itemQuery("/tools/{name}/approvals", { params: { name } }));
  const client = useQueryClient();
  const revocation = useMutation({
    mutationFn: () => api.send("DELETE /tools/{name}/approvals/always-allow", { params: { name } }),
    onSuccess: () => {
      showToast(messages.revoked);
      return client.invalidateQueries({ queryKey: ["tools", name, "approvals"] });
    },
    onError: (error) => showToast(errorMessage(error), "bad"),
  });
  if (data?.alwaysAllowed == null) return null;
  const { version, covered, at } = data.alwaysAllowed;
  return (
    <Card title={messages.title}>
      <p className="text-sm text-soft">
        {covered ? messages.covered(version) : messages.changed(version)} <When at={at} />
      </p>
      <div>
        <Button isPending={revocation.isPending} onPress={() => revocation.mutate()}>
          {messages.revoke}
        </Button>
      </div>
    </Card>
  );
}
