import { setTimeout as sleep } from "node:timers/promises";
import { carryOut } from "./client.ts";
import type { ClientContext, Outcome } from "./client.ts";
import { chooseOrder } from "./orders.ts";
import type { Tools } from "./orders.ts";
import { createRandom } from "./random.ts";

/** What clients request, and for how long. */
export type Load = Omit<ClientContext, "random"> & {
  tools: Tools;
  clients: number;
  seed: number;
  isOver: () => boolean;
};

/** Lets every client process one order after another until the end, and returns all outcomes. */
export async function askAll(load: Load): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  let number = 0;
  const work = async (client: number) => {
    const random = createRandom(load.seed + client + 1);
    while (!load.isOver()) {
      number += 1;
      outcomes.push(await carryOut({ ...load, random }, chooseOrder(random, load.tools, number)));
      await sleep(random.between(0, 40));
    }
  };
  await Promise.all(Array.from({ length: load.clients }, (_, client) => work(client)));
  return outcomes;
}
