import { hkdfSync } from "node:crypto";
import { betterAuth } from "better-auth";
import { APIError } from "better-auth/api";
import type { Config } from "#config";
import type { Database } from "#db";
import { newId, randomSuffix } from "#lib/ids";
import type { Log } from "#lib/log";
import { localSignIn } from "./local-sign-in.ts";
import { claimSetting, hasPeople, insertMember, insertWorkspace } from "./workspace-store.ts";

/** People and their browser sessions. */
export type People = {
  /** Answers `/api/auth/*`. */
  handle(request: Request): Promise<Response>;
  /** The live session that the request's cookie names. */
  findSession(headers: Headers): Promise<{ userId: string; sessionId: string } | undefined>;
  /** Makes a person with a password without asking anybody: for the first start. */
  createPerson(person: { email: string; name: string; password: string }): Promise<string>;
};

type Options = {
  db: Database;
  config: Config;
  /** What the secret that signs sessions is derived from. */
  rootSecret: Buffer;
  log: Log;
  /** What the workspace of the first owner is called; by default it carries their name. */
  firstWorkspaceName?: string;
};

/**
 * Sign-in by e-mail and password. On a server without people the first to sign up becomes its owner,
 * with a workspace of their own; afterwards nobody else may sign up.
 */
export function createPeople(options: Options): People {
  const { db, config, rootSecret, log } = options;
  const auth = betterAuth({
    appName: "Toolhost",
    baseURL: config.baseUrl,
    basePath: "/api/auth",
    secret: deriveSecret(rootSecret),
    database: { db: db.kysely, type: db.dialect },
    advanced: { database: { generateId: () => newId() }, cookiePrefix: "toolhost" },
    trustedOrigins: [...allowedOrigins(config)],
    logger: { level: "error", log: (level, message) => log.warn({ level }, `sign-in: ${message}`) },
    onAPIError: { onError: (error) => logFailure(log, error) },
    telemetry: { enabled: false },
    emailAndPassword: { enabled: true, minPasswordLength: 8, maxPasswordLength: 200 },
    plugins: [localSignIn()],
    ...tables,
    databaseHooks: {
      user: {
        create: {
          before: async () => {
            if (await hasPeople(db)) {
              throw new APIError("FORBIDDEN", {
                code: "SIGN_UP_CLOSED",
                message: "This server takes no sign-ups. Ask its owner for an invitation.",
              });
            }
          },
          after: (user) =>
            makeFirstOwner(db, user.id, options.firstWorkspaceName ?? `${user.name}'s workspace`),
        },
      },
    },
  });
  return {
    handle: (request) => unlessAway(db, auth.handler(request)),
    findSession: async (headers) => {
      const found = await blameDatabase(db, () => auth.api.getSession({ headers }));
      return found === null
        ? undefined
        : { userId: found.session.userId, sessionId: found.session.id };
    },
    createPerson: async ({ email, name, password }) => {
      const { internalAdapter, password: passwords } = await auth.$context;
      const user = await internalAdapter.createUser(
        { email, name, emailVerified: true },
        { method: "email-password" },
      );
      await internalAdapter.linkAccount({
        userId: user.id,
        providerId: "credential",
        accountId: user.id,
        password: await passwords.hash(password),
      });
      return user.id;
    },
  };
}

/** An answer of the library, unless it is the database's absence that it could not cope with. */
async function unlessAway(db: Database, answer: Promise<Response>): Promise<Response> {
  const response = await answer;
  if (response.status >= 500) await db.ping();
  return response;
}

/** The library hides what it was thrown: a database that is away says so itself. */
async function blameDatabase<T>(db: Database, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    await db.ping();
    throw error;
  }
}

/** What sign-in refuses is the caller's matter; the rest is ours. */
function logFailure(log: Log, error: unknown): void {
  const isRefusal = error instanceof APIError && error.statusCode < 500;
  log[isRefusal ? "debug" : "error"]({ err: error }, "sign-in did not answer");
}

/**
 * The origins whose pages may use a person's session. On a loopback server each of its names counts.
 */
export function allowedOrigins(config: Config): ReadonlySet<string> {
  const origins = new Set([config.baseUrl, config.mcpUrl].map((url) => new URL(url).origin));
  if (config.isLoopback) {
    for (const host of ["localhost", "127.0.0.1", "[::1]"]) {
      origins.add(`http://${host}:${config.PORT}`);
    }
  }
  return origins;
}

async function makeFirstOwner(db: Database, userId: string, name: string): Promise<void> {
  const now = Date.now();
  const workspaceId = newId();
  await db.transact([
    // Two people who sign up at the same moment: the second breaks here and owns nothing.
    claimSetting(db, "first_owner", userId),
    insertWorkspace(db, {
      id: workspaceId,
      name,
      slug: `workspace-${randomSuffix(8)}`,
      created_at: now,
      tools_revision: 0,
    }),
    insertMember(db, {
      id: newId(),
      workspace_id: workspaceId,
      user_id: userId,
      role: "owner",
      created_at: now,
    }),
  ]);
}

function deriveSecret(rootSecret: Buffer): string {
  return Buffer.from(hkdfSync("sha256", rootSecret, "", "sessions", 32)).toString("base64url");
}

/** Our names for the library's tables and columns. */
const tables = {
  user: {
    modelName: "users",
    fields: { emailVerified: "email_verified", createdAt: "created_at", updatedAt: "updated_at" },
  },
  session: {
    modelName: "sessions",
    fields: {
      userId: "user_id",
      expiresAt: "expires_at",
      ipAddress: "ip_address",
      userAgent: "user_agent",
      createdAt: "created_at",
      updatedAt: "updated_at",
    },
  },
  account: {
    modelName: "accounts",
    fields: {
      userId: "user_id",
      accountId: "account_id",
      providerId: "provider_id",
      accessToken: "access_token",
      refreshToken: "refresh_token",
      idToken: "id_token",
      accessTokenExpiresAt: "access_token_expires_at",
      refreshTokenExpiresAt: "refresh_token_expires_at",
      createdAt: "created_at",
      updatedAt: "updated_at",
    },
  },
  verification: {
    modelName: "verifications",
    fields: { expiresAt: "expires_at", createdAt: "created_at", updatedAt: "updated_at" },
  },
} as const;
