import { APIError, createAuthMiddleware } from "better-auth/api";
import type { BetterAuthOptions, GenericEndpointContext } from "better-auth";
import { twoFactor } from "better-auth/plugins/two-factor";
import { z } from "zod";
import type { Config } from "#config";
import type { Mailer } from "#core/kernel";
import type { Database } from "#db";
import { newId } from "#lib/ids";
import type { Log } from "#lib/log";
import { recordAccountEvent } from "./account-events.ts";
import { allowedOrigins } from "./allowed-origins.ts";
import { peopleTables, twoFactorTables } from "./people-tables.ts";
import { oidcPlugin } from "./oidc-plugin.ts";
import { providerOptions } from "./providers.ts";
import { clientAddressHeader } from "./request-marks.ts";
import { admit } from "./sign-up.ts";
import { storedValues } from "./stored-values.ts";
import { welcome } from "./welcome.ts";
import type { Admission } from "./welcome.ts";

export type PeopleOptions = {
  db: Database;
  config: Config;
  /** What the secret that signs sessions is derived from. */
  rootSecret: Buffer;
  log: Log;
  mailer: Mailer;
  /** What the workspace of the first owner is called; by default it carries their name. */
  firstWorkspaceName?: string;
};

const minute = 60;
const passwordLength = { minPasswordLength: 8, maxPasswordLength: 200 };

/** What we have a better answer for, or do not want: sessions are ours to list, and tokens of providers nobody's. */
const disabledPaths = [
  "/list-sessions",
  "/revoke-session",
  "/revoke-sessions",
  "/revoke-other-sessions",
  "/delete-user",
  "/delete-user/callback",
  "/change-email",
  "/get-access-token",
  "/refresh-token",
  "/account-info",
];

/** The sign-in library's options. */
export function createAuthOptions(options: PeopleOptions, secret: string): BetterAuthOptions {
  const { db, config, log } = options;
  return {
    appName: "Toolhost",
    baseURL: config.baseUrl,
    basePath: "/api/auth",
    secret,
    database: { db: db.kysely, type: db.dialect },
    advanced: {
      database: { generateId: () => newId() },
      cookiePrefix: "toolhost",
      ipAddress: { ipAddressHeaders: [clientAddressHeader] },
    },
    trustedOrigins: [...allowedOrigins(config)],
    // The library's own counts per process and trusts headers; ours are in `answerAuth`.
    rateLimit: { enabled: false },
    logger: { level: "error", log: (level, message) => log.warn({ level }, `sign-in: ${message}`) },
    onAPIError: {
      onError: (error) => logFailure(log, error),
      errorURL: `${config.baseUrl}/sign-in`,
    },
    telemetry: { enabled: false },
    disabledPaths,
    ...passwords(options),
    socialProviders: providerOptions(config),
    plugins: [
      storedValues(),
      twoFactor({ issuer: "Toolhost", schema: twoFactorTables }),
      ...oidcPlugin(config),
    ],
    ...peopleTables,
    verification: { ...peopleTables.verification, storeIdentifier: "hashed" },
    ...signUps(options),
  };
}

/** Passwords, with the mails that reset them and that prove an address. */
function passwords({ db, config, mailer }: PeopleOptions): BetterAuthOptions {
  return {
    emailAndPassword: {
      enabled: true,
      ...passwordLength,
      requireEmailVerification: mailer.isConfigured,
      revokeSessionsOnPasswordReset: true,
      resetPasswordTokenExpiresIn: 30 * minute,
      sendResetPassword: async ({ user, token }) =>
        mailer.send({
          to: user.email,
          subject: "Choose a new password",
          lines: [
            "Somebody asked for a new password for your Toolhost account. If it was you, choose one here within half an hour:",
            `${config.baseUrl}/reset-password?token=${token}`,
            "If it was not you, nothing has changed and nothing needs to be done.",
          ],
        }),
      onPasswordReset: async ({ user }, request) =>
        recordAccountEvent(db, request?.headers, {
          actor: { userId: user.id },
          action: "account.change",
          details: { what: "password reset" },
        }),
    },
    emailVerification: {
      sendOnSignUp: true,
      expiresIn: 24 * 60 * minute,
      sendVerificationEmail: async ({ user, token }) => {
        // The first owner and people with a mailed invitation have proven theirs.
        if (user.emailVerified) return;
        mailer.send({
          to: user.email,
          subject: "Confirm your e-mail address",
          lines: [
            "Confirm within a day that this is your e-mail address:",
            `${config.baseUrl}/verify-email?token=${token}`,
            "If you did not sign up, do nothing.",
          ],
        });
      },
    },
  };
}

const signUpBody = z.looseObject({ email: z.string(), invitation: z.string().max(200).optional() });

/** Who gets an account, and what they find. */
function signUps(options: PeopleOptions): BetterAuthOptions {
  /** Why a person of this address is let in, from just before their row is written until just after. */
  const admissions = new Map<string, Admission>();
  return {
    hooks: {
      before: createAuthMiddleware(async ({ path, body }) => {
        const given = signUpBody.safeParse(body);
        if (path !== "/sign-up/email" || !given.success) return;
        const { email, invitation: token } = given.data;
        // Before the library looks: what it answers must not tell who has an account.
        await admit(options, { email, token, isVouchedFor: false });
      }),
    },
    databaseHooks: {
      account: { create: { before: withoutTokens }, update: { before: withoutTokens } },
      user: {
        create: {
          before: async (user, request) => {
            // Nobody asks: `createPerson` makes them.
            if (request == null) return undefined;
            const admission = await admit(options, applicant(user, request));
            admissions.set(user.email, admission);
            return hasProvenAddress(options, admission)
              ? { data: { ...user, emailVerified: true } }
              : { data: user };
          },
          after: async (user, request) => {
            const admission = admissions.get(user.email);
            admissions.delete(user.email);
            if (admission === undefined) return;
            await welcome(options, user, admission, options.firstWorkspaceName);
            await recordAccountEvent(options.db, request?.headers, {
              actor: { userId: user.id },
              action: "account.sign_up",
              details: { how: admission.how },
            });
          },
        },
      },
    },
  };
}

/**
 * Whether an address is proven by how somebody is let in: the first owner's is, and that of an invitation that was mailed
 * there. On a server that sends no mail, the inviter has the link and could use it themselves.
 */
function hasProvenAddress({ mailer }: PeopleOptions, { how }: Admission): boolean {
  return how === "first" || (how === "invited" && mailer.isConfigured);
}

/** A provider says who somebody is, and that is all we ask of it: what it would let us do besides is not kept. */
async function withoutTokens(account: object) {
  return { data: { ...account, accessToken: null, refreshToken: null, idToken: null } };
}

function applicant(
  user: { email: string; emailVerified: boolean },
  { path, body }: GenericEndpointContext,
) {
  const given = path === "/sign-up/email" ? signUpBody.safeParse(body) : undefined;
  return {
    email: user.email,
    token: given?.data?.invitation,
    // Only a provider's word counts: what a person says of their own address does not.
    isVouchedFor: given === undefined && user.emailVerified,
  };
}

/** What sign-in refuses is the caller's matter; the rest is ours. */
function logFailure(log: Log, error: unknown): void {
  const isRefusal = error instanceof APIError && error.statusCode < 500;
  log[isRefusal ? "debug" : "error"]({ err: error }, "sign-in did not answer");
}
