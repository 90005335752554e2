import { Writable } from "node:stream";
import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { startFakeDiscord } from "#testing/fake-discord";
import type { FakeDiscord } from "#testing/fake-discord";
import { createDiscordCall } from "../discord-call.ts";
import { runSession } from "./run-session.ts";
import type { SessionOptions } from "./session-options.ts";
import type { Position } from "./position.ts";

let discord: FakeDiscord;
let lines: string;
let running: { stop: () => Promise<void> }[];

const pauses = {
  firstMs: 20,
  maxMs: 50,
  betweenSessionsMs: 10,
  refusedMs: 60_000,
  stableAfterMs: 60_000,
};
const soon = { timeout: 20_000, interval: 10 };

beforeEach(async () => {
  discord = await startFakeDiscord();
  lines = "";
  running = [];
});
afterEach(async () => {
  for (const one of running) await one.stop();
  // Neither what we say nor what Discord answers may tell how to be us.
  const secrets = [discord.botToken, ...discord.gateway.sessions.map(({ id }) => id)];
  const leaks = secrets.filter((secret) => lines.includes(secret));
  const wrong = [...discord.gateway.wrong, ...leaks];
  await discord.close();
  if (wrong.length > 0) throw new Error(`Not what Discord allows, or a secret: ${wrong.join()}`);
});

/** Keeps a session, and takes note of what came by it. */
function keep(rest: Partial<SessionOptions> = {}) {
  const apiUrl = discord.settings["DISCORD_API_URL"] ?? "";
  const stopping = new AbortController();
  const log = pino(
    { level: "trace" },
    new Writable({
      write: (chunk: Buffer, _, done) => {
        lines += chunk.toString();
        done();
      },
    }),
  );
  const kept: { taken: unknown[]; position?: Position | undefined; problem?: string | undefined } =
    {
      taken: [],
    };
  const done = runSession({
    apiUrl,
    call: createDiscordCall(apiUrl, `Bot ${discord.botToken}`),
    log,
    pauses,
    token: discord.botToken,
    signal: stopping.signal,
    wanted: new Set(["SAID"]),
    position: undefined,
    take: async ({ d }) => {
      kept.taken.push((d as { n: number }).n);
    },
    onProblem: (problem) => {
      kept.problem = problem;
    },
    onMove: async (position) => {
      kept.position = position;
    },
    ...rest,
  });
  const one = {
    kept,
    stop: async () => {
      stopping.abort();
      await done;
    },
  };
  running.push(one);
  return one;
}

const connected = () => vi.waitUntil(() => discord.gateway.connected() === 1, soon);
const say = (n: number) => discord.gateway.tell("SAID", { n });
const logOf = (kind: string) => discord.gateway.log.filter((line) => line.startsWith(kind));

describe("a session of Discord's gateway", () => {
  it("requests messages, and their content only if the application may read it", async () => {
    const first = keep();
    await connected();
    await first.stop();
    discord.gateway.flags = 1 << 18;
    keep();
    await vi.waitUntil(() => discord.gateway.sessions.length === 2, soon);
    expect(discord.gateway.sessions.map(({ intents }) => intents)).toEqual([513, 33_281]);
  });

  it("delivers events in order, once, across every kind of resumable disconnect", async () => {
    discord.gateway.heartbeatMs = 60;
    const { kept } = keep();
    await connected();
    const ways = [
      () => discord.gateway.cut(),
      () => discord.gateway.cut(4_000),
      () => discord.gateway.cut(1_001),
      () => discord.gateway.send({ op: 7, d: null }),
      () => discord.gateway.send({ op: 9, d: true }),
      () => discord.gateway.send("{ what"),
      () => discord.gateway.send(JSON.stringify({ op: 11, d: "x".repeat(17 * 1024 * 1024) })),
      () => discord.gateway.send({ op: 10, d: "what" }),
      () => discord.gateway.send({ op: 0, t: "SAID", s: "first", d: { n: -1 } }),
      () => discord.gateway.cut(4_008),
    ];
    let n = 0;
    for (const end of ways) {
      say((n += 1));
      discord.gateway.tell("ELSE", { large: "x".repeat(10_000) });
      end();
      say((n += 1));
      await vi.waitUntil(() => kept.taken.length === n, soon);
      await connected();
    }
    expect(kept.taken).toEqual(Array.from({ length: n }, (_, at) => at + 1));
    expect(logOf("identify")).toHaveLength(1);
    expect(logOf("closed 1000")).toEqual([]);
  });

  it("sends heartbeats, also on request, and resumes when they are not acknowledged", async () => {
    discord.gateway.heartbeatMs = 60;
    const { kept } = keep();
    await connected();
    discord.gateway.send({ op: 1, d: null });
    discord.gateway.answersBeats = false;
    await vi.waitUntil(() => logOf("resume").length > 0, soon);
    expect(logOf("closed 4900")).not.toEqual([]);
    discord.gateway.answersBeats = true;
    say(1);
    await vi.waitUntil(() => kept.taken.length === 1, soon);
    expect(logOf("identify")).toHaveLength(1);
  });

  it.each([
    ["Discord says so", () => discord.gateway.send({ op: 9, d: false })],
    ["it timed out", () => discord.gateway.cut(4_009)],
  ])("starts a new session when %s", async (_, end) => {
    const { kept } = keep();
    await connected();
    const { sessionId } = kept.position ?? {};
    discord.gateway.forget();
    end();
    await vi.waitUntil(() => discord.gateway.sessions.length === 2, soon);
    await connected();
    say(1);
    await vi.waitUntil(() => kept.taken.length === 1, soon);
    expect(kept.position?.sessionId).not.toBe(sessionId);
  });

  it("starts a new session when Discord no longer knows it", async () => {
    const position = {
      sessionId: "of long ago",
      resumeUrl: discord.baseUrl.replace("http", "ws"),
      sequence: 7,
      botUserId: "1",
    };
    const { kept } = keep({ position });
    await vi.waitUntil(() => kept.position?.botUserId === discord.botUserId, soon);
    expect(discord.gateway.log.slice(0, 1)).toEqual(["resume 7"]);
  });

  it("resumes in another process after the last handled event, not the last received one", async () => {
    const first = keep({
      take: async ({ d }) => {
        if ((d as { n: number }).n === 2) throw new Error("the database is away");
      },
    });
    await connected();
    say(1);
    say(2);
    await vi.waitUntil(() => lines.includes("the database is away"), soon);
    await first.stop();
    const { position } = first.kept;
    expect(position?.sequence).toBe(2);
    const second = keep({ position });
    await vi.waitUntil(() => second.kept.taken.length === 1, soon);
    expect(second.kept.taken).toEqual([2]);
    expect(logOf("identify")).toHaveLength(1);
  });

  it("skips an event that fails repeatedly, and continues after it", async () => {
    const taken: number[] = [];
    keep({
      take: async ({ d }) => {
        const { n } = d as { n: number };
        taken.push(n);
        if (n === 1) throw new Error("poison");
      },
    });
    await connected();
    say(1);
    say(2);
    await vi.waitUntil(() => taken.includes(2), soon);
    expect(taken).toEqual([1, 1, 1, 1, 1, 2]);
  });

  it("resumes at the general gateway URL when the resume URL fails", async () => {
    const first = keep();
    await connected();
    await first.stop();
    const { position } = first.kept;
    if (position === undefined) throw new Error("There is no session");
    const second = keep({ position: { ...position, resumeUrl: "ws://127.0.0.1:9" } });
    say(1);
    await vi.waitUntil(() => second.kept.taken.length === 1, soon);
    expect(logOf("identify")).toHaveLength(1);
  });
});

describe("a refusal of Discord", () => {
  it.each([4_004, 4_010, 4_011, 4_012, 4_013])(
    "is not tried again soon: a close with %d waits for the operator",
    async (code) => {
      discord.gateway.refusal = code;
      const { kept } = keep();
      await vi.waitUntil(() => lines.includes(`"code":${code}`), soon);
      expect(kept.problem).toMatch(/\.$/);
      expect(lines).toContain('"level":50');
      expect(logOf("identify")).toHaveLength(1);
    },
  );

  it("disables the message content intent, and the session continues", async () => {
    discord.gateway.flags = 1 << 19;
    discord.gateway.refusal = 4_014;
    const { stop } = keep();
    await vi.waitUntil(() => logOf("identify").length === 2, soon);
    expect(lines).toContain("only mentions");
    await stop();
    expect(logOf("identify")).toHaveLength(2);
  });

  it("delays new sessions, as do rate limits", async () => {
    discord.gateway.remaining = 0;
    const first = keep();
    await vi.waitUntil(() => lines.includes("limit of new sessions"), soon);
    await first.stop();
    expect(logOf("identify")).toEqual([]);
    discord.gateway.remaining = 10;
    const path = /^gateway\/bot$/;
    discord.faults.push({ method: "GET", path, times: 1, status: 429, retryAfter: 0.1 });
    discord.faults.push({ method: "GET", path, times: 1, status: 500 });
    keep();
    await connected();
    expect(logOf("identify")).toHaveLength(1);
  });

  it("is reported after several failures, until the connection works again", async () => {
    const path = /^gateway\/bot$/;
    discord.faults.push({ method: "GET", path, times: 5, status: 500 });
    const { kept } = keep();
    await vi.waitFor(() => expect(kept.problem).toContain("connect to Discord"), soon);
    await connected();
    await vi.waitFor(() => expect(kept.problem).toBeUndefined(), soon);
  });
});

describe("the bot's token", () => {
  it.each([
    ["another host", () => "ws://127.0.0.1:9/"],
    ["a host that only looks like Discord's", () => "wss://discord.gg.evil.example/"],
    ["a connection that all can read", () => "ws://gateway.discord.gg/"],
    ["an address with somebody's name", () => discord.baseUrl.replace("http://", "ws://me@")],
  ])("is not sent to %s", async (_, address) => {
    discord.gateway.address = address();
    keep();
    await vi.waitUntil(() => lines.includes("not a Discord URL"), soon);
    expect(discord.gateway.log).toEqual([]);
  });

  it("is not sent after an abort", async () => {
    discord.faults.push({ method: "GET", path: /gateway/, times: 1, status: 429, retryAfter: 60 });
    const { stop } = keep();
    await vi.waitUntil(() => lines.includes("could not connect"), soon);
    await stop();
    expect(discord.gateway.log).toEqual([]);
  });
});
