import { queryOptions } from "@tanstack/react-query";
import type { Me, Member } from "@toolhost/contract";
import { api } from "./client.ts";
import { messages } from "./messages.ts";

/** Members beyond these pages appear by ID instead of by name. */
const maxPages = 5;

/** The members of a workspace. */
export function membersQuery(workspaceId: string) {
  return queryOptions({
    queryKey: ["workspaces", workspaceId, "members", "all"],
    queryFn: async ({ signal }) => {
      const members: Member[] = [];
      let cursor: string | undefined;
      for (let page = 0; page < maxPages; page += 1) {
        const found = await api.getPage("/workspaces/{id}/members", {
          params: { id: workspaceId },
          query: { limit: 200, cursor },
          signal,
        });
        members.push(...found.items);
        cursor = found.next;
        if (cursor === undefined) break;
      }
      return members;
    },
  });
}

/** The name to show for a user ID; null stands for the service itself. */
export function memberName(
  members: readonly Member[] | undefined,
  me: Me | undefined,
  userId: string | null,
): string {
  if (userId === null) return messages.members.service;
  if (userId === me?.user.id) return messages.members.you;
  const found = members?.find((member) => member.userId === userId);
  if (found !== undefined) return found.name || found.email;
  return members === undefined
    ? messages.members.loading
    : messages.members.former(userId.slice(-6));
}
