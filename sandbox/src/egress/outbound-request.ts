import type { Dispatcher } from "undici";
import { parsePrivateHost, privateEntry } from "./declared-hosts.ts";
import { OutboundError } from "./outbound-error.ts";
import { addressesOf, type Outlet } from "./outlet.ts";
import { EgressDeniedError } from "./egress-errors.ts";
import { parseTarget, type Target } from "./target.ts";

/** A small request; `circle` names those who may share its connections. */
export type OutboundRequest = {
  circle: string;
  method: string;
  headers: Readonly<Record<string, string>>;
  body?: string | undefined;
};

/** An answer whose body is still to be read, on a connection that is to be given back. */
type OpenAnswer = { answer: Dispatcher.ResponseData; giveBack: () => void };

/** Asks others' servers under the rules that tools are under, by https unless the operator opened the host. */
export type Asker = {
  isSchemeTaken(target: Target): boolean;
  ask(target: Target, request: OutboundRequest, signal: AbortSignal): Promise<OpenAnswer>;
};

type Options = { outlet: Outlet; privateHosts: readonly string[]; connectMs: number };

/** Makes an asker of requests that the service itself sends. */
export function createAsker({ outlet, privateHosts, connectMs }: Options): Asker {
  const opened = privateHosts.map(parsePrivateHost).filter((host) => host !== undefined);
  const isSchemeTaken = (target: Target) =>
    target.scheme === "https:" || privateEntry(opened, target) !== undefined;
  return {
    isSchemeTaken,
    ask: async (target, { circle, method, headers, body }, signal) => {
      if (!isSchemeTaken(target))
        throw new EgressDeniedError(target.name, "it is not asked by https");
      const addresses = await orTimedOut(signal, addressesOf(outlet, target, opened));
      const lent = outlet.connections.lend({ circle, target, addresses, connectMs });
      try {
        const answer = await lent.pool.request({
          method,
          path: target.path,
          headers: { ...headers, host: target.name },
          body: body ?? null,
          signal,
        });
        return { answer, giveBack: () => lent.giveBack() };
      } catch (error) {
        lent.giveBack();
        throw error;
      }
    },
  };
}

/** Where an address leads. Throws `OutboundError` for one that leads nowhere. */
export function targetOf(url: string): Target {
  const target = parseTarget(url);
  if (target === undefined) throw new OutboundError("The address is no http address", true);
  return target;
}

/** One header of an answer; undefined when there is none, or several. */
export function headerOf({ headers }: Dispatcher.ResponseData, name: string): string | undefined {
  const value = headers[name];
  return typeof value === "string" ? value : undefined;
}

/** Names may take long to resolve. */
async function orTimedOut<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const end = () => reject(signal.reason);
  signal.addEventListener("abort", end, { once: true });
  try {
    return await Promise.race([promise, late]);
  } finally {
    signal.removeEventListener("abort", end);
    promise.catch(() => {});
  }
}
