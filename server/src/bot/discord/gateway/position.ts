import { z } from "zod";

const position = z.object({
  sessionId: z.string().min(1).max(200),
  /** The URL to resume the session at. */
  resumeUrl: z.string().max(500),
  /** The last event that is handled. */
  sequence: z.number().int().min(0),
  botUserId: z.string().regex(/^\d{1,20}$/),
});

/** A session and the last event handled in it. With the bot token it suffices to resume the session. */
export type Position = z.infer<typeof position>;

export function readPosition(stored: string | undefined): Position | undefined {
  return stored === undefined ? undefined : position.safeParse(JSON.parse(stored)).data;
}

export function writePosition(current: Position | undefined): string | undefined {
  return current === undefined ? undefined : JSON.stringify(current);
}

const ready = z.object({
  session_id: z.string().min(1).max(200),
  resume_gateway_url: z.string().max(500),
  user: z.object({ id: z.string().regex(/^\d{1,20}$/) }),
});

/** The session of a `READY` event; undefined for an invalid one. */
export function readReady(data: unknown, sequence: number): Position | undefined {
  const parsed = ready.safeParse(data);
  if (!parsed.success) return undefined;
  const { session_id: sessionId, resume_gateway_url: resumeUrl, user } = parsed.data;
  return { sessionId, resumeUrl, sequence, botUserId: user.id };
}
