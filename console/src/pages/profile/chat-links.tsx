import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { ChatLink, Me } from "@toolhost/contract";
import type { ReactNode } from "react";
import { api } from "#api/client";
import { errorMessage } from "#api/problem";
import { itemQuery } from "#api/queries";
import { When } from "#components/badges";
import { Button } from "#components/button";
import { Card } from "#components/page";
import { showToast } from "#components/toasts";
import { chatPlatform } from "#lib/chat-labels";
import { messages } from "./messages.ts";

const text = messages.chatLinks;

/** The chat accounts linked to the user. Renders nothing when there are none. */
export function ChatLinks({ me }: { me: Me }): ReactNode {
  const client = useQueryClient();
  const { data: links = [] } = useQuery(itemQuery("/chat-links", { query: { limit: 200 } }));
  const { mutate, isPending, variables } = useMutation({
    mutationFn: ({ id }: ChatLink) =>
      api.send("DELETE /chat-links/{linkId}", { params: { linkId: id } }),
    onSuccess: (_, { teamName }) => showToast(text.unlinked(teamName)),
    onError: (error) => showToast(errorMessage(error), "bad"),
    onSettled: () => client.invalidateQueries({ queryKey: ["chat-links"] }),
  });
  if (links.length === 0) return null;
  return (
    <Card title={text.title}>
      <p className="text-soft">{text.lead}</p>
      <ul className="grid gap-3">
        {links.map((link) => (
          <li key={link.id} className="flex flex-wrap items-center justify-between gap-3">
            <div className="grid min-w-0">
              <span className="font-medium">
                {link.teamName}{" "}
                <span className="font-normal text-soft">
                  {text.platform(chatPlatform(link.platform).label)}
                </span>
              </span>
              <span className="text-sm text-soft">
                {link.how === "email"
                  ? text.linkedByEmail(workspaceName(me, link))
                  : text.linkedByUser(workspaceName(me, link))}{" "}
                <When at={link.linkedAt} />
              </span>
            </div>
            <Button
              aria-label={text.unlinkLabel(link.teamName)}
              isPending={isPending && variables.id === link.id}
              onPress={() => mutate(link)}
            >
              {text.unlink}
            </Button>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function workspaceName(me: Me, { workspaceId }: ChatLink): string {
  return me.workspaces.find(({ id }) => id === workspaceId)?.name ?? text.unknownWorkspace;
}
