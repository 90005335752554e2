import { randomUUID } from "node:crypto";
import { toolDetail } from "@toolhost/contract";
import { expectStatus } from "../src/server.ts";
import type { Call } from "../src/http.ts";
import type { Effects } from "./effects.ts";
import type { Random } from "./random.ts";

/** The kinds of tools that are run, by how they end and how long they take. */
const kinds = {
  instant: { weight: 60, minMs: 0, maxMs: 0 },
  short: { weight: 22, minMs: 50, maxMs: 300 },
  long: { weight: 3, minMs: 1_500, maxMs: 5_000 },
  failing: { weight: 10, minMs: 0, maxMs: 50 },
  idempotent: { weight: 5, minMs: 0, maxMs: 4_000 },
} as const;

type Kind = keyof typeof kinds;

/** The names of the tools, by kind. */
export type Tools = Readonly<Record<Kind, string>>;

/** One thing that a client wants done, once, however often it has to ask. */
export type Order = {
  /** Different for each order and part of its input, so that its run can be told from the others. */
  number: number;
  kind: Kind;
  toolName: string;
  key: string;
  body: string;
  prefer: string | undefined;
  /** Sent to two nodes at the same moment. */
  isDoubled: boolean;
};

/** What every tool does to the world, before anything else. */
const leaveMark = (url: string) =>
  `await (await fetch("${url}/" + ctx.runId, { method: "POST" })).text();`;

const plain = (url: string) => `export default async ({ number, ms }, ctx) => {
  ${leaveMark(url)}
  if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms));
  return { number };
};`;
const failing = (url: string) => `export default async ({ number, ms }, ctx) => {
  ${leaveMark(url)}
  await new Promise((resolve) => setTimeout(resolve, ms));
  throw new Error("number " + number + " fails");
};`;

/** Saves one tool of each kind; each leaves its mark before it does anything else. */
export async function makeTools(call: Call, effects: Effects): Promise<Tools> {
  const make = async (kind: Kind) => {
    const draft = {
      title: `Chaos ${kind}`,
      description: "A tool of the chaos test.",
      inputSchema: { type: "object" },
      source: {
        language: "javascript",
        code: (kind === "failing" ? failing : plain)(effects.url),
      },
      allowedHosts: [effects.declaredHost],
      ...(kind === "idempotent" ? { idempotent: true } : {}),
    };
    const { body } = expectStatus(201, await call("POST", "/tools", draft));
    return toolDetail.parse(body).name;
  };
  return {
    instant: await make("instant"),
    short: await make("short"),
    long: await make("long"),
    failing: await make("failing"),
    idempotent: await make("idempotent"),
  };
}

/** Chooses what is asked for next. */
export function chooseOrder(random: Random, tools: Tools, number: number): Order {
  const kind = chooseKind(random);
  const { minMs, maxMs } = kinds[kind];
  const dice = random.next();
  return {
    number,
    kind,
    toolName: tools[kind],
    key: randomUUID(),
    body: JSON.stringify({ number, ms: random.between(minMs, maxMs) }),
    prefer:
      dice < 0.1 ? "respond-async" : dice < 0.2 ? "wait=0" : dice < 0.3 ? "wait=1" : undefined,
    isDoubled: random.next() < 0.05,
  };
}

function chooseKind(random: Random): Kind {
  const entries = Object.entries(kinds) as [Kind, { weight: number }][];
  let left = random.between(
    1,
    entries.reduce((sum, [, { weight }]) => sum + weight, 0),
  );
  for (const [kind, { weight }] of entries) {
    left -= weight;
    if (left <= 0) return kind;
  }
  return "instant";
}
