import { z } from "zod";

const position = z.object({
  sessionId: z.string().min(1).max(200),
  /** Where Discord wants the session to be gone on with. */
  resumeUrl: z.string().max(500),
  /** The last of its events that is done with. */
  sequence: z.number().int().min(0),
  botUserId: z.string().regex(/^\d{1,20}$/),
});

/** A session of ours, and how far it came. Whoever has it and the bot's token can go on with it. */
export type Position = z.infer<typeof position>;

export function readPosition(kept: string | undefined): Position | undefined {
  return kept === undefined ? undefined : position.safeParse(JSON.parse(kept)).data;
}

export function writePosition(current: Position | undefined): string | undefined {
  return current === undefined ? undefined : JSON.stringify(current);
}

const ready = z.object({
  session_id: z.string().min(1).max(200),
  resume_gateway_url: z.string().max(500),
  user: z.object({ id: z.string().regex(/^\d{1,20}$/) }),
});

/** The session that Discord has begun for us; undefined where it says none. */
export function readReady(data: unknown, sequence: number): Position | undefined {
  const parsed = ready.safeParse(data);
  if (!parsed.success) return undefined;
  const { session_id: sessionId, resume_gateway_url: resumeUrl, user } = parsed.data;
  return { sessionId, resumeUrl, sequence, botUserId: user.id };
}
