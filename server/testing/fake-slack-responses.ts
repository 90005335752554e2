import { checkMessageBlocks } from "./fake-slack-blocks.ts";
import type { FakeTeam } from "./fake-slack-team.ts";

/** A URL for responses to a command or press. */
export type FakeResponseUrl = {
  teamId: string;
  channel: string;
  user: string;
  issuedAt: number;
  uses: number;
  /** The message with the button that was pressed. */
  messageTs: string | undefined;
};

type Answered = { status: number; body: object; refusal?: string };

const lifeMs = 30 * 60_000;
const maxUses = 5;

/** Takes a message that was sent to a response URL, by its rules: five uses within 30 minutes. */
export function takeResponse(
  teams: ReadonlyMap<string, FakeTeam>,
  url: FakeResponseUrl | undefined,
  body: Buffer,
): Answered {
  const team = teams.get(url?.teamId ?? "");
  if (url === undefined || team === undefined) return refused("invalid_url", 404);
  if (Date.now() - url.issuedAt > lifeMs) return refused("expired_url", 404);
  if (url.uses >= maxUses) return refused("used_url", 404);
  const given = JSON.parse(body.toString()) as {
    text?: string;
    blocks?: unknown[];
    response_type?: string;
    replace_original?: boolean;
  };
  const { text = "", blocks = [] } = given;
  const problem = checkMessageBlocks(blocks);
  if (problem !== undefined) {
    return {
      ...refused(problem.error, 400),
      refusal: `response_url: ${problem.error}: ${problem.why}`,
    };
  }
  if (text === "" && blocks.length === 0) return refused("no_text", 400);
  url.uses += 1;
  const { channel, user, messageTs } = url;
  const shown = team.ephemerals.find(({ ts }) => ts === messageTs);
  if (given.replace_original === true && messageTs !== undefined) {
    const original = shown ?? team.messages.find(({ ts }) => ts === messageTs);
    if (original !== undefined) Object.assign(original, { text, blocks });
  } else {
    team.ephemerals.push({ ts: team.nextTs(), channel, user, text, blocks, isResponse: true });
  }
  return { status: 200, body: { ok: true } };
}

function refused(error: string, status: number): Answered {
  return { status, body: { ok: false, error } };
}
