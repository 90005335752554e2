import { withArticle } from "../roles.ts";
import type { Mail } from "./mailer.ts";

/** The link to choose a new password, valid for 30 minutes. */
export function passwordResetEmail(to: string, url: string): Mail {
  return {
    to,
    subject: "Reset your password",
    lines: [
      "We received a request to reset the password of your Toolhost account. Choose a new password here within 30 minutes:",
      url,
      "If you didn't request this, ignore this email. Your password stays the same.",
    ],
  };
}

/** The link to verify an email address, valid for 24 hours. */
export function emailVerificationEmail(to: string, url: string): Mail {
  return {
    to,
    subject: "Confirm your email address",
    lines: [
      "Confirm your email address to finish signing up for Toolhost. The link is valid for 24 hours:",
      url,
      "If you didn't sign up, ignore this email.",
    ],
  };
}

type CredentialRequest = {
  workspaceName: string;
  userName: string;
  toolTitle: string;
  credentials: readonly string[];
};

/** A member asks the admins for the credentials that a tool lacks. */
export function credentialRequestEmail(to: string, url: string, request: CredentialRequest): Mail {
  const { workspaceName, userName, toolTitle, credentials } = request;
  return {
    to,
    subject: `${userName} needs credentials for ${toolTitle}`,
    lines: [
      `${userName} can't run ${toolTitle} in the workspace ${workspaceName}, because it lacks: ${credentials.join(", ")}.`,
      "Review what the tool requests, then add or approve the credentials:",
      url,
    ],
  };
}

type Invitation = { inviterName: string | undefined; workspaceName: string; role: string };

/** The link to accept an invitation, valid for 7 days. */
export function invitationEmail(to: string, url: string, invitation: Invitation): Mail {
  const { inviterName, workspaceName, role } = invitation;
  const sentence =
    inviterName === undefined
      ? `You've been invited to join the workspace ${workspaceName} on Toolhost as ${withArticle(role)}.`
      : `${inviterName} has invited you to join the workspace ${workspaceName} on Toolhost as ${withArticle(role)}.`;
  return {
    to,
    subject: `Invitation to ${workspaceName}`,
    lines: [
      sentence,
      "Accept the invitation with this email address. The link is valid for 7 days:",
      url,
    ],
  };
}
