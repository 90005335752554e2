import type { GatewayIdentify, GatewayResume } from "discord-api-types/v10";
import { z } from "zod";

/** The opcodes of gateway frames. */
export const opcodes = {
  dispatch: 0,
  heartbeat: 1,
  identify: 2,
  resume: 6,
  reconnect: 7,
  invalidSession: 9,
  hello: 10,
  acknowledged: 11,
} as const;

/** `GUILD_CREATE` frames contain all channels of a server, so the limit is generous. */
const maxFrameLength = 16 * 1024 * 1024;

const sequence = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);

const frame = z.discriminatedUnion("op", [
  z.object({
    op: z.literal(opcodes.dispatch),
    t: z.string().max(100),
    s: sequence,
    d: z.unknown(),
  }),
  z.object({ op: z.literal(opcodes.heartbeat) }),
  z.object({ op: z.literal(opcodes.reconnect) }),
  z.object({ op: z.literal(opcodes.invalidSession), d: z.boolean() }),
  z.object({
    op: z.literal(opcodes.hello),
    d: z.object({ heartbeat_interval: z.number().min(50).max(600_000) }),
  }),
  z.object({ op: z.literal(opcodes.acknowledged) }),
]);
export type Frame = z.infer<typeof frame>;
/** An event, with its sequence number. */
export type Dispatch = Extract<Frame, { op: 0 }>;

/** Parses a frame; undefined for an unknown one, and "broken" for one that is not JSON. */
export function readFrame(data: unknown): Frame | "broken" | undefined {
  if (typeof data !== "string" || data.length > maxFrameLength) return "broken";
  try {
    return frame.safeParse(JSON.parse(data)).data;
  } catch {
    return "broken";
  }
}

/** Starts a new session. Contains the bot token. */
export function identify(token: string, intents: number): GatewayIdentify {
  const properties = { os: process.platform, browser: "toolhost", device: "toolhost" };
  return { op: opcodes.identify, d: { token, intents, properties } };
}

/** Resumes a session. Contains the bot token. */
export function resume(
  token: string,
  session: { sessionId: string; sequence: number },
): GatewayResume {
  const { sessionId, sequence: seq } = session;
  return { op: opcodes.resume, d: { token, session_id: sessionId, seq } };
}
