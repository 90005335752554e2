import { randomUUID } from "node:crypto";
import { toolDetail } from "@toolhost/contract";
import { expectStatus } from "../src/server.ts";
import type { Call } from "../src/http.ts";
import type { Effects } from "./effects.ts";
import type { Random } from "./random.ts";

/** Kinds of tools, by outcome and duration. */
const kinds = {
  instant: { weight: 60, minMs: 0, maxMs: 0 },
  short: { weight: 22, minMs: 50, maxMs: 300 },
  long: { weight: 3, minMs: 1_500, maxMs: 5_000 },
  failing: { weight: 10, minMs: 0, maxMs: 50 },
  idempotent: { weight: 5, minMs: 0, maxMs: 4_000 },
} as const;

type Kind = keyof typeof kinds;

/** Tool names by kind. */
export type Tools = Readonly<Record<Kind, string>>;

/** A run that must happen exactly once, regardless of how often the client sends the request. */
export type Order = {
  /** Unique number in the order's input, which identifies its run. */
  number: number;
  kind: Kind;
  toolName: string;
  key: string;
  body: string;
  prefer: string | undefined;
  /** Whether it is sent to two nodes at the same time. */
  isDoubled: boolean;
};

/** The external effect, which every tool has first. */
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

/** Saves one tool of each kind. Each starts with its external effect. */
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

/** Generates the next order. */
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
