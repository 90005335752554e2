import { APIError, createAuthMiddleware } from "better-auth/api";
import type { BetterAuthOptions, GenericEndpointContext } from "better-auth";
import { twoFactor } from "better-auth/plugins/two-factor";
import { z } from "zod";
import type { Config } from "#config";
import { emailVerificationEmail, passwordResetEmail } from "#core/kernel";
import type { Mailer } from "#core/kernel";
import type { Database } from "#db";
import { newId } from "#lib/ids";
import type { Log } from "#lib/log";
import { recordAccountEvent } from "./account-events.ts";
import { allowedOrigins } from "./allowed-origins.ts";
import { cookiePrefixOf } from "./cookie-names.ts";
import { peopleTables, twoFactorTables } from "./people-tables.ts";
import { oidcPlugin } from "./oidc-plugin.ts";
import { providerOptions } from "./providers.ts";
import { clientAddressHeader } from "./internal-headers.ts";
import { admit } from "./sign-up.ts";
import { storedValues } from "./stored-values.ts";
import { welcome } from "./welcome.ts";
import type { Admission } from "./welcome.ts";

export type PeopleOptions = {
  db: Database;
  config: Config;
  /** The secret that signs sessions is derived from it. */
  rootSecret: Buffer;
  log: Log;
  mailer: Mailer;
  /** The name of the first owner's workspace. Defaults to "<name>'s workspace". */
  firstWorkspaceName?: string;
};

const minute = 60;
const passwordLength = { minPasswordLength: 8, maxPasswordLength: 200 };

/** Routes that the REST API replaces, and those that return provider tokens, which are not stored. */
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

/** Builds the options of the sign-in library. */
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
      cookiePrefix: cookiePrefixOf(config.baseUrl),
      ipAddress: { ipAddressHeaders: [clientAddressHeader] },
    },
    trustedOrigins: [...allowedOrigins(config)],
    // The library counts per process and trusts headers. `handleAuthRequest` applies the service's limits instead.
    rateLimit: { enabled: false },
    logger: {
      level: "error",
      log: (_level, message, ...details) => {
        const err = details.find((detail) => detail instanceof Error);
        log.warn(err === undefined ? {} : { err }, `sign-in: ${message}`);
      },
    },
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

/** Passwords, with the emails that reset them and that verify an address. */
function passwords({ db, config, mailer }: PeopleOptions): BetterAuthOptions {
  return {
    emailAndPassword: {
      enabled: true,
      ...passwordLength,
      requireEmailVerification: mailer.isConfigured,
      revokeSessionsOnPasswordReset: true,
      resetPasswordTokenExpiresIn: 30 * minute,
      sendResetPassword: async ({ user, token }) =>
        mailer.send(
          passwordResetEmail(user.email, `${config.baseUrl}/reset-password?token=${token}`),
        ),
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
        // The addresses of the first owner and of users with an emailed invitation are already verified.
        if (user.emailVerified) return;
        mailer.send(
          emailVerificationEmail(user.email, `${config.baseUrl}/verify-email?token=${token}`),
        );
      },
    },
  };
}

const signUpBody = z.looseObject({ email: z.string(), invitation: z.string().max(200).optional() });

/** Decides who may sign up, and sets up new accounts. */
function signUps(options: PeopleOptions): BetterAuthOptions {
  /** Why each address may sign up, by email, while its row is being written. */
  const admissions = new Map<string, Admission>();
  return {
    hooks: {
      before: createAuthMiddleware(async ({ path, body }) => {
        const given = signUpBody.safeParse(body);
        if (path !== "/sign-up/email" || !given.success) return;
        const { email, invitation: token } = given.data;
        // Checked before the library does, because the library's response would reveal who has an account.
        await admit(options, { email, token, isVouchedFor: false });
      }),
    },
    databaseHooks: {
      account: { create: { before: withoutTokens }, update: { before: withoutTokens } },
      user: {
        create: {
          before: async (user, request) => {
            // Without a request, `createPerson` is creating the user.
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
 * Whether signing up verifies the email address. It does for the first owner and for an emailed invitation. On a server
 * without email, the inviter has the link and could use it themselves.
 */
function hasProvenAddress({ mailer }: PeopleOptions, { how }: Admission): boolean {
  return how === "first" || (how === "invited" && mailer.isConfigured);
}

/** Providers only identify users here, so their tokens are not stored. */
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
    // Only a provider can vouch for an address; the user's own claim does not count.
    isVouchedFor: given === undefined && user.emailVerified,
  };
}

/** Logs refusals at level debug and unexpected errors at level error. */
function logFailure(log: Log, error: unknown): void {
  const isRefusal = error instanceof APIError && error.statusCode < 500;
  log[isRefusal ? "debug" : "error"]({ err: error }, "sign-in request failed");
}
