import { queryOptions } from "@tanstack/react-query";
import type { Me, Member } from "@toolhost/contract";
import { api } from "./client.ts";

/** At most so many are read to put names to ids; whoever is beyond them is shown by their id. */
const maxPages = 5;

/** Who belongs to a workspace. */
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

/** What to call the person of an id. */
export function memberName(
  members: readonly Member[] | undefined,
  me: Me | undefined,
  userId: string | null,
): string {
  if (userId === null) return "The service";
  if (userId === me?.user.id) return "You";
  const found = members?.find((member) => member.userId === userId);
  if (found !== undefined) return found.name || found.email;
  return members === undefined ? "…" : `Somebody who left (${userId.slice(-6)})`;
}
