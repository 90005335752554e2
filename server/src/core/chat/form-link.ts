import type { ChatContext } from "./context.ts";
import type { ChatConnectionTable } from "#db";
import type { ChatPress } from "./event.ts";
import { openFormLink, sealFormLink } from "./sealed.ts";

/** How long a link to a form is valid. It works once, because its question is answered once. */
const formLinkMs = 1_800_000;

/** What a link to a form is for. */
export type FormLink = {
  platform: string;
  teamId: string;
  questionId: string;
  choice: string;
  isExternal: boolean;
  expiresAt: number;
};

/** The URL of a form as a page, for the user who pressed a button. */
export function createFormLink(
  context: ChatContext,
  { platform, team_id: teamId }: Pick<ChatConnectionTable, "platform" | "team_id">,
  {
    questionId,
    choice,
    isExternal = false,
  }: Pick<ChatPress, "questionId" | "choice" | "isExternal">,
): string {
  const expiresAt = context.clock.now() + formLinkMs;
  const link = { platform, teamId, questionId, choice, isExternal, expiresAt };
  const token = Buffer.from(sealFormLink(context, link), "base64").toString("base64url");
  return `${context.config.baseUrl}/bot/form?token=${token}`;
}

/** Undefined for a token that is not ours, or has expired. */
export function readFormLink(context: ChatContext, token: string): FormLink | undefined {
  try {
    const sealed = Buffer.from(token, "base64url").toString("base64");
    const link = openFormLink(context, sealed) as FormLink;
    return link.expiresAt > context.clock.now() ? link : undefined;
  } catch {
    return undefined;
  }
}
