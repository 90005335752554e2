import type { InstallClient } from "@toolhost/contract";
import { canReach } from "./reachable.ts";

export type ClientGroup<Client> = {
  category: InstallClient["category"];
  clients: readonly Client[];
};

type Grouped = Pick<InstallClient, "id" | "category">;

/** Clients by what they are. Those that can reach the address come first, in each group and among the groups. */
export function groupClients<Client extends Grouped>(
  clients: readonly Client[],
  url: string,
): ClientGroup<Client>[] {
  const reachableFirst = clients.toSorted(
    (a, b) => Number(canReach(b.id, url)) - Number(canReach(a.id, url)),
  );
  return [...Map.groupBy(reachableFirst, ({ category }) => category)].map(
    ([category, grouped]) => ({ category, clients: grouped }),
  );
}
