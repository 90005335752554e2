import { hkdfSync } from "node:crypto";
import type { Database } from "#db";
import { lazy } from "#lib/lazy";
import type { PeopleOptions } from "./auth-options.ts";
import { lacksOidc, listProviders } from "./providers.ts";
import type { Provider } from "./providers.ts";
import { deriveSetupToken } from "./setup-token.ts";
import { welcome } from "./welcome.ts";
import { hasPeople } from "./workspace-store.ts";

/** Users and their browser sessions. */
export type People = {
  /** Handles `/api/auth/*`. Called by `handleAuthRequest`, which limits and audits requests. */
  handle(request: Request): Promise<Response>;
  /** Finds the live session of the request's cookie. */
  findSession(headers: Headers): Promise<LiveSession | undefined>;
  /** Whether a user has this password. */
  hasPassword(userId: string, password: string): Promise<boolean>;
  /** Creates a user with a password, regardless of who may sign up. The first user owns the server. */
  createPerson(person: { email: string; name: string; password: string }): Promise<string>;
  /** Where the first user signs up. With a public address, the path contains a secret. */
  setupPath: string;
  /** The sign-in providers in addition to passwords. */
  providers: readonly Provider[];
};

type LiveSession = { userId: string; sessionId: string; createdAt: number };

/** The pause before an OpenID Connect issuer that did not respond is contacted again. */
const issuerPauseMs = 30_000;

/**
 * Sign-in by email and password, and by providers. The first user to sign up on an empty server becomes its owner,
 * with their own workspace, and needs the setup link if the server has a public address; a setting controls who can sign up afterwards.
 */
export function createPeople(options: PeopleOptions): People {
  const { db, config, rootSecret } = options;
  const setupToken = deriveSetupToken(config, rootSecret);
  // The library is large, and a service that only runs tools does not need it.
  const make = () =>
    lazy(async () => {
      const { createAuth } = await import("./auth.ts");
      return { auth: createAuth(options, deriveSecret(rootSecret)), createdAtMs: Date.now() };
    });
  let created = make();
  const open = async () => (await created()).auth;
  /** The library reads the issuer's metadata only once. If that failed, the library is created again after a pause. */
  const current = async () => {
    const { auth, createdAtMs } = await created();
    const { socialProviders } = await auth.$context;
    if (!lacksOidc(config, socialProviders) || Date.now() - createdAtMs <= issuerPauseMs)
      return auth;
    created = make();
    return open();
  };
  return {
    handle: async (request) => throwIfDatabaseIsDown(db, (await current()).handler(request)),
    findSession: async (headers) => {
      const auth = await open();
      const found = await withDatabaseErrors(db, () => auth.api.getSession({ headers }));
      if (found === null) return undefined;
      const { userId, id: sessionId, createdAt } = found.session;
      return { userId, sessionId, createdAt: createdAt.getTime() };
    },
    hasPassword: async (userId, password) => {
      const { internalAdapter, password: passwords } = await (await open()).$context;
      const account = await internalAdapter.findCredentialAccount(userId);
      if (account?.password == null) return false;
      return passwords.verify({ hash: account.password, password });
    },
    createPerson: async ({ email, name, password }) => {
      const isFirst = !(await hasPeople(db));
      const { internalAdapter, password: passwords } = await (await open()).$context;
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
      if (isFirst) await welcome(options, user, { how: "first" }, options.firstWorkspaceName);
      return user.id;
    },
    setupPath: setupToken === undefined ? "/sign-up" : `/sign-up?invitation=${setupToken}`,
    providers: listProviders(config),
  };
}

/** Returns the library's response, unless it is a server error because the database is unavailable; then it throws. */
async function throwIfDatabaseIsDown(db: Database, answer: Promise<Response>): Promise<Response> {
  const response = await answer;
  if (response.status >= 500) await db.ping();
  return response;
}

/** The library hides the errors that it receives, so this throws the database's own error if it is unavailable. */
async function withDatabaseErrors<T>(db: Database, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    await db.ping();
    throw error;
  }
}

function deriveSecret(rootSecret: Buffer): string {
  return Buffer.from(hkdfSync("sha256", rootSecret, "", "sessions", 32)).toString("base64url");
}
