import { hkdfSync } from "node:crypto";
import type { Database } from "#db";
import { lazy } from "#lib/lazy";
import type { PeopleOptions } from "./auth-options.ts";
import { lacksOidc, listProviders } from "./providers.ts";
import type { Provider } from "./providers.ts";
import { welcome } from "./welcome.ts";
import { hasPeople } from "./workspace-store.ts";

/** People and their browser sessions. */
export type People = {
  /** Answers `/api/auth/*`. Reached through `handleAuthRequest`, which counts and records. */
  handle(request: Request): Promise<Response>;
  /** The live session that the request's cookie names. */
  findSession(headers: Headers): Promise<LiveSession | undefined>;
  /** Whether a person has this password. */
  hasPassword(userId: string, password: string): Promise<boolean>;
  /** Makes a person with a password without asking anybody. The first owns the server. */
  createPerson(person: { email: string; name: string; password: string }): Promise<string>;
  /** What people may sign in with beside a password. */
  providers: readonly Provider[];
};

type LiveSession = { userId: string; sessionId: string; createdAt: number };

/** How long a single sign-on whose issuer did not answer is left alone. */
const issuerPauseMs = 30_000;

/**
 * Sign-in by email and password, and by providers. The first user to sign up on an empty server becomes its owner,
 * with their own workspace; a setting controls who can sign up afterwards.
 */
export function createPeople(options: PeopleOptions): People {
  const { db, config, rootSecret } = options;
  // The library is large, and a service that only runs tools can do without.
  const make = () =>
    lazy(async () => {
      const { createAuth } = await import("./auth.ts");
      return { auth: createAuth(options, deriveSecret(rootSecret)), madeAt: Date.now() };
    });
  let made = make();
  const open = async () => (await made()).auth;
  /** Providers are asked once, so a beginning while the issuer is away must not keep it away. */
  const current = async () => {
    const { auth, madeAt } = await made();
    const { socialProviders } = await auth.$context;
    if (!lacksOidc(config, socialProviders) || Date.now() - madeAt <= issuerPauseMs) return auth;
    made = make();
    return open();
  };
  return {
    handle: async (request) => unlessAway(db, (await current()).handler(request)),
    findSession: async (headers) => {
      const auth = await open();
      const found = await blameDatabase(db, () => auth.api.getSession({ headers }));
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
    providers: listProviders(config),
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

function deriveSecret(rootSecret: Buffer): string {
  return Buffer.from(hkdfSync("sha256", rootSecret, "", "sessions", 32)).toString("base64url");
}
