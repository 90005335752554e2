import { randomUUID } from "node:crypto";
import type { CryptoKey } from "jose";

export type FakeTeamsUser = {
  id: string;
  name: string;
  email: string;
  userPrincipalName: string;
  tenantId: string;
  userRole: string;
  /** Whether the user has added the app, so that it may write to them. */
  hasApp: boolean;
  /** The directory roles of the user. */
  wids: string[];
};

type FakeMessage = {
  id: string;
  /** With the thread, as in the path of the request. */
  conversation: string;
  activity: Record<string, unknown>;
  edits: number;
};

type FakeFault = { label: string; times: number; status?: number; isDone?: boolean };

/** A key that signs tokens, with its public part. */
export type FakeSigner = { kid: string; key: CryptoKey; jwk: Record<string, unknown> };

/** A fake of Microsoft Entra ID and the Bot Connector: strict about tokens, conversations, activities and cards. */
export type FakeTeams = {
  baseUrl: string;
  /** The URL of the app. */
  appUrl: string;
  appId: string;
  tenantId: string;
  clientSecret: string;
  users: Map<string, FakeTeamsUser>;
  /** The types of conversations without their threads. */
  conversations: Map<string, { type: string; members: string[] }>;
  messages: FakeMessage[];
  typing: string[];
  files: Map<string, Buffer>;
  codes: Map<string, { user: string; redirectUri: string }>;
  /** Tokens of the bot. */
  tokens: Set<string>;
  connector: FakeSigner;
  tenant: FakeSigner;
  faults: FakeFault[];
  /** Whether the app was deleted in the tenant. */
  isDeleted: boolean;
  /** The requests that no client of the real service would send. A test fails when there is one. */
  refusals: string[];
  /** The person who uses the browser of an installation. */
  visitor: string;
  settings: Record<string, string>;
};

let clock = 1_795_000_000_000;

/** IDs of messages in channels are times. */
export function nextId(): string {
  clock += 10;
  return String(clock);
}

export const channel = "19:general@thread.tacv2";
export const groupChat = "19:group@thread.v2";

export function toUser(
  { tenantId }: Pick<FakeTeams, "tenantId">,
  name: string,
  rest: Partial<FakeTeamsUser>,
): FakeTeamsUser {
  const email = `${name}@contoso.example`;
  const base = { id: `29:${randomUUID()}`, name, email, userPrincipalName: email };
  return { ...base, tenantId, userRole: "user", hasApp: true, wids: [], ...rest };
}

/** The conversation of a user with the bot. */
export function personalChat({ conversations }: FakeTeams, user: string): string {
  for (const [id, { type, members }] of conversations) {
    if (type === "personal" && members[0] === user) return id;
  }
  const id = `a:${randomUUID()}`;
  conversations.set(id, { type: "personal", members: [user] });
  return id;
}
