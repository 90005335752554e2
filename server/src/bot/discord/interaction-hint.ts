/** The token with which an interaction can be answered for 15 minutes. */
export type InteractionHint = {
  /** A button press awaits its first response; a command shows a placeholder that is edited. */
  kind: "press" | "command";
  id: string;
  token: string;
};

/** The epoch of Discord IDs: the start of 2015. */
const epochMs = 1_420_070_400_000;
const lifeMs = 15 * 60_000;
/** A request shortly before the end may arrive after it. */
const marginMs = 20_000;

/** As one string, which the core stores with the message. */
export function writeHint({ kind, id, token }: InteractionHint): string {
  return `${kind}.${id}.${token}`;
}

/** Undefined when there is none, or it has expired. */
export function readHint(text: string | undefined, now: number): InteractionHint | undefined {
  const [, kind, id, token] = /^(press|command)\.(\d{1,20})\.(.+)$/.exec(text ?? "") ?? [];
  if (id === undefined || token === undefined) return undefined;
  if (now - timeOf(id) > lifeMs - marginMs) return undefined;
  return { kind: kind === "press" ? "press" : "command", id, token };
}

/** When Discord created an ID, in Unix milliseconds. */
function timeOf(id: string): number {
  return Number(BigInt(id) >> 22n) + epochMs;
}
