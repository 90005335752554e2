import { APIError } from "better-auth/api";
import type { Config } from "#config";
import type { Database } from "#db";
import { sha256 } from "#lib/hash";
import { findOpenInvitations } from "./invitation-store.ts";
import type { OpenInvitation } from "./invitation-store.ts";
import { deriveSetupToken } from "./setup-token.ts";
import type { Admission } from "./welcome.ts";
import { deleteUnfinishedUser, hasPeople } from "./workspace-store.ts";

type Needs = { db: Database; config: Config; rootSecret: Buffer };

/** A person who signs up: with the token of an invitation or of the setup link, or with an address that a provider vouches for. */
export type Applicant = { email: string; token: string | undefined; isVouchedFor: boolean };

/** How long a sign-up may take. An older user without a sign-in method is left from an interrupted one. */
const maxSignUpMs = 60_000;

/**
 * Returns why an applicant may have an account. Otherwise throws the library's refusal, which does not depend on whether the
 * address has an account.
 */
export async function admit(needs: Needs, applicant: Applicant): Promise<Admission> {
  const { db } = needs;
  const admission = await decide(needs, applicant);
  await deleteUnfinishedUser(db, applicant.email.toLowerCase(), Date.now() - maxSignUpMs);
  return admission;
}

async function decide(needs: Needs, applicant: Applicant): Promise<Admission> {
  const { db, config } = needs;
  if (!(await hasPeople(db))) return admitFirst(needs, applicant);
  const invitations =
    config.SIGN_UP === "closed" ? [] : await findInvitationsFor(db, applicant, Date.now());
  if (invitations.length > 0) return { how: "invited", invitations };
  if (config.SIGN_UP === "open") return { how: "open" };
  throw new APIError("FORBIDDEN", {
    code: "SIGN_UP_CLOSED",
    message:
      "This server accepts sign-ups by invitation only. Ask an admin of a workspace for an invitation.",
  });
}

/** A stranger could be the first to find a new server that has a public address. */
function admitFirst({ config, rootSecret }: Needs, { token }: Applicant): Admission {
  const required = deriveSetupToken(config, rootSecret);
  // Compares hashes, so that the time does not reveal how much of the token is right.
  if (required === undefined || (token !== undefined && sha256(token) === sha256(required))) {
    return { how: "first" };
  }
  throw new APIError("FORBIDDEN", {
    code: "SETUP_LINK_REQUIRED",
    message: "This server has no owner yet. Sign up with the setup link in its log.",
  });
}

async function findInvitationsFor(
  db: Database,
  { email, token, isVouchedFor }: Applicant,
  now: number,
): Promise<OpenInvitation[]> {
  const byEmail = await findOpenInvitations(db, email.toLowerCase(), now);
  if (isVouchedFor) return byEmail;
  // An address without a provider's confirmation is accepted only with the token that was sent to it.
  if (token === undefined) return [];
  const hash = sha256(token);
  return byEmail.filter((invitation) => invitation.token_hash === hash);
}
