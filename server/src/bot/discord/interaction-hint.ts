/** What an interaction can be answered by: its own address, for a quarter of an hour. */
export type InteractionHint = {
  /** A press of a button waits for its first answer; a command has a placeholder that becomes one. */
  kind: "press" | "command";
  id: string;
  token: string;
};

/** Discord counts milliseconds from the beginning of 2015. */
const epochMs = 1_420_070_400_000;
const lifeMs = 15 * 60_000;
/** What is asked a moment before the end may arrive after it. */
const marginMs = 20_000;

/** As one string, for the core to carry along. */
export function writeHint({ kind, id, token }: InteractionHint): string {
  return `${kind}.${id}.${token}`;
}

/** Undefined when there is none, or its time is over. */
export function readHint(text: string | undefined, now: number): InteractionHint | undefined {
  const [, kind, id, token] = /^(press|command)\.(\d{1,20})\.(.+)$/.exec(text ?? "") ?? [];
  if (id === undefined || token === undefined) return undefined;
  if (now - timeOf(id) > lifeMs - marginMs) return undefined;
  return { kind: kind === "press" ? "press" : "command", id, token };
}

/** When Discord gave an id, in milliseconds. */
function timeOf(id: string): number {
  return Number(BigInt(id) >> 22n) + epochMs;
}
