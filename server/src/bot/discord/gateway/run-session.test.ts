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
  // No log line may contain the bot token or a session ID.
  const secrets = [discord.botToken, ...discord.gateway.sessions.map(({ id }) => id)];
  const leaks = secrets.filter((secret) => lines.includes(secret));
  const wrong = [...discord.gateway.wrong, ...leaks];
  await discord.close();
  if (wrong.length > 0)
    throw new Error(`Violations of the protocol, or leaked secrets: ${wrong.join()}`);
});

/** Runs a session, and records its events, position and problem. */
function startSession(rest: Partial<SessionOptions> = {}) {
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
  const recorded: {
    taken: unknown[];
    position?: Position | undefined;
    problem?: string | undefined;
  } = {
    taken: [],
  };
  const done = runSession({
    apiUrl,
    call: createDiscordCall(apiUrl, `Bot ${discord.botToken}`),
    log,
    pauses,
    token: discord.botToken,
    signal: stopping.signal,
    wanted: new Set(["TEST_EVENT"]),
    position: undefined,
    take: async ({ d }) => {
      recorded.taken.push((d as { n: number }).n);
    },
    onProblem: (problem) => {
      recorded.problem = problem;
    },
    onMove: async (position) => {
      recorded.position = position;
    },
    ...rest,
  });
  const one = {
    recorded,
    stop: async () => {
      stopping.abort();
      await done;
    },
  };
  running.push(one);
  return one;
}

const connected = () => vi.waitUntil(() => discord.gateway.connected() === 1, soon);
const sendEvent = (n: number) => discord.gateway.dispatch("TEST_EVENT", { n });
const logOf = (kind: string) => discord.gateway.log.filter((line) => line.startsWith(kind));

describe("a session of Discord's gateway", () => {
  it("requests messages, and their content only if the application may read it", async () => {
    const first = startSession();
    await connected();
    await first.stop();
    discord.gateway.flags = 1 << 18;
    startSession();
    await vi.waitUntil(() => discord.gateway.sessions.length === 2, soon);
    expect(discord.gateway.sessions.map(({ intents }) => intents)).toEqual([513, 33_281]);
  });

  it("delivers events in order, once, across every kind of resumable disconnect", async () => {
    discord.gateway.heartbeatMs = 60;
    const { recorded } = startSession();
    await connected();
    const disconnects = [
      () => discord.gateway.cut(),
      () => discord.gateway.cut(4_000),
      () => discord.gateway.cut(1_001),
      () => discord.gateway.send({ op: 7, d: null }),
      () => discord.gateway.send({ op: 9, d: true }),
      () => discord.gateway.send("{ invalid"),
      () => discord.gateway.send(JSON.stringify({ op: 11, d: "x".repeat(17 * 1024 * 1024) })),
      () => discord.gateway.send({ op: 10, d: "invalid" }),
      () => discord.gateway.send({ op: 0, t: "TEST_EVENT", s: "first", d: { n: -1 } }),
      () => discord.gateway.cut(4_008),
    ];
    let n = 0;
    for (const end of disconnects) {
      sendEvent((n += 1));
      discord.gateway.dispatch("ELSE", { large: "x".repeat(10_000) });
      end();
      sendEvent((n += 1));
      await vi.waitUntil(() => recorded.taken.length === n, soon);
      await connected();
    }
    expect(recorded.taken).toEqual(Array.from({ length: n }, (_, at) => at + 1));
    expect(logOf("identify")).toHaveLength(1);
    expect(logOf("closed 1000")).toEqual([]);
  });

  it("sends heartbeats, also on request, and resumes when they are not acknowledged", async () => {
    discord.gateway.heartbeatMs = 60;
    const { recorded } = startSession();
    await connected();
    discord.gateway.send({ op: 1, d: null });
    discord.gateway.answersBeats = false;
    await vi.waitUntil(() => logOf("resume").length > 0, soon);
    expect(logOf("closed 4900")).not.toEqual([]);
    discord.gateway.answersBeats = true;
    sendEvent(1);
    await vi.waitUntil(() => recorded.taken.length === 1, soon);
    expect(logOf("identify")).toHaveLength(1);
  });

  it.each([
    ["Discord invalidates it", () => discord.gateway.send({ op: 9, d: false })],
    ["it timed out", () => discord.gateway.cut(4_009)],
  ])("starts a new session when %s", async (_, end) => {
    const { recorded } = startSession();
    await connected();
    const { sessionId } = recorded.position ?? {};
    discord.gateway.forget();
    end();
    await vi.waitUntil(() => discord.gateway.sessions.length === 2, soon);
    await connected();
    sendEvent(1);
    await vi.waitUntil(() => recorded.taken.length === 1, soon);
    expect(recorded.position?.sessionId).not.toBe(sessionId);
  });

  it("starts a new session when Discord no longer knows it", async () => {
    const position = {
      sessionId: "expired",
      resumeUrl: discord.baseUrl.replace("http", "ws"),
      sequence: 7,
      botUserId: "1",
    };
    const { recorded } = startSession({ position });
    await vi.waitUntil(() => recorded.position?.botUserId === discord.botUserId, soon);
    expect(discord.gateway.log.slice(0, 1)).toEqual(["resume 7"]);
  });

  it("resumes in another process after the last handled event, not the last received one", async () => {
    const first = startSession({
      take: async ({ d }) => {
        if ((d as { n: number }).n === 2) throw new Error("the database is unavailable");
      },
    });
    await connected();
    sendEvent(1);
    sendEvent(2);
    await vi.waitUntil(() => lines.includes("the database is unavailable"), soon);
    await first.stop();
    const { position } = first.recorded;
    expect(position?.sequence).toBe(2);
    const second = startSession({ position });
    await vi.waitUntil(() => second.recorded.taken.length === 1, soon);
    expect(second.recorded.taken).toEqual([2]);
    expect(logOf("identify")).toHaveLength(1);
  });

  it("skips an event that fails repeatedly, and continues after it", async () => {
    const taken: number[] = [];
    startSession({
      take: async ({ d }) => {
        const { n } = d as { n: number };
        taken.push(n);
        if (n === 1) throw new Error("poison");
      },
    });
    await connected();
    sendEvent(1);
    sendEvent(2);
    await vi.waitUntil(() => taken.includes(2), soon);
    expect(taken).toEqual([1, 1, 1, 1, 1, 2]);
  });

  it("resumes at the general gateway URL when the resume URL fails", async () => {
    const first = startSession();
    await connected();
    await first.stop();
    const { position } = first.recorded;
    if (position === undefined) throw new Error("No session was recorded");
    const second = startSession({ position: { ...position, resumeUrl: "ws://127.0.0.1:9" } });
    sendEvent(1);
    await vi.waitUntil(() => second.recorded.taken.length === 1, soon);
    expect(logOf("identify")).toHaveLength(1);
  });
});

describe("a refusal of Discord", () => {
  it.each([4_004, 4_010, 4_011, 4_012, 4_013])(
    "is not retried soon: a close with %d waits for the operator",
    async (code) => {
      discord.gateway.refusal = code;
      const { recorded } = startSession();
      await vi.waitUntil(() => lines.includes(`"code":${code}`), soon);
      expect(recorded.problem).toMatch(/\.$/);
      expect(lines).toContain('"level":50');
      expect(logOf("identify")).toHaveLength(1);
    },
  );

  it("disables the message content intent, and the session continues", async () => {
    discord.gateway.flags = 1 << 19;
    discord.gateway.refusal = 4_014;
    const { stop } = startSession();
    await vi.waitUntil(() => logOf("identify").length === 2, soon);
    expect(lines).toContain("only mentions");
    await stop();
    expect(logOf("identify")).toHaveLength(2);
  });

  it("delays new sessions, as do rate limits", async () => {
    discord.gateway.remaining = 0;
    const first = startSession();
    await vi.waitUntil(() => lines.includes("limit of new sessions"), soon);
    await first.stop();
    expect(logOf("identify")).toEqual([]);
    discord.gateway.remaining = 10;
    const path = /^gateway\/bot$/;
    discord.faults.push({ method: "GET", path, times: 1, status: 429, retryAfter: 0.1 });
    discord.faults.push({ method: "GET", path, times: 1, status: 500 });
    startSession();
    await connected();
    expect(logOf("identify")).toHaveLength(1);
  });

  it("is reported after several failures, until the connection works again", async () => {
    const path = /^gateway\/bot$/;
    discord.faults.push({ method: "GET", path, times: 5, status: 500 });
    const { recorded } = startSession();
    await vi.waitFor(() => expect(recorded.problem).toContain("connect to Discord"), soon);
    await connected();
    await vi.waitFor(() => expect(recorded.problem).toBeUndefined(), soon);
  });
});

describe("the bot's token", () => {
  it.each([
    ["another host", () => "ws://127.0.0.1:9/"],
    ["a host that only looks like Discord's", () => "wss://discord.gg.evil.example/"],
    ["an unencrypted connection", () => "ws://gateway.discord.gg/"],
    ["a URL with a user name", () => discord.baseUrl.replace("http://", "ws://me@")],
  ])("is not sent to %s", async (_, address) => {
    discord.gateway.address = address();
    startSession();
    await vi.waitUntil(() => lines.includes("not a Discord URL"), soon);
    expect(discord.gateway.log).toEqual([]);
  });

  it("is not sent after an abort", async () => {
    discord.faults.push({ method: "GET", path: /gateway/, times: 1, status: 429, retryAfter: 60 });
    const { stop } = startSession();
    await vi.waitUntil(() => lines.includes("could not connect"), soon);
    await stop();
    expect(discord.gateway.log).toEqual([]);
  });
});
