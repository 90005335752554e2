import type { Outbound, Sandbox } from "@toolhost/sandbox";
import type { Config } from "#config";
import type { AuthorizationServer, People } from "#core/identity";
import type { Builder } from "#core/builds";
import type { Chat } from "#core/chat";
import type { FileStorage } from "#core/files";
import type { Holds, Limits } from "#core/limits";
import type { Cluster, Mailer } from "#core/kernel";
import type {
  ActiveRuns,
  Admission,
  ChildPlaces,
  QueueCounts,
  Relay,
  RunBytes,
  RunEndings,
  RunQueue,
} from "#core/runs";
import type { KeptPackageTypes, RunnableTool, ToolIndexes } from "#core/catalog";
import type { Validation } from "#core/validation";
import type { CredentialTable, Database } from "#db";
import type { Clock } from "#lib/clock";
import type { Envelopes } from "#lib/envelope";
import type { Log } from "#lib/log";
import type { LruMap } from "#lib/lru";
import type { Seal } from "#lib/seal";

/** The part that saving tools and keys needs, which is there before a sandbox is. */
export type AuthoringContext = Pick<Context, "config" | "db" | "clock" | "log" | "validation">;

/** The part that building tools needs. */
export type BuildingContext = AuthoringContext & Pick<Context, "builder" | "limits">;

/** What core functions work with. Made once, in `start.ts`; a test makes its own. */
export type Context = {
  config: Config;
  db: Database;
  clock: Clock;
  log: Log;
  sandbox: Sandbox;
  people: People;
  /** Writes to people. */
  mailer: Mailer;
  /** This process, among the nodes that share the database. */
  nodeId: string;
  /** When each API key was last used, until it is written. */
  keyUse: Map<string, number>;
  /** The same of each credential. */
  credentialUse: Map<string, number>;
  /** The same of each connected app. */
  grantUse: Map<string, number>;
  /** The way to others' servers for requests of the service's own. */
  outbound: Outbound;
  /** Signs in MCP clients. */
  authorizationServer: AuthorizationServer;
  /** Versions that ran lately, ready for the next run. */
  runnableTools: LruMap<string, RunnableTool>;
  toolIndexes: ToolIndexes;
  /** Checks schemas and inputs that others wrote. */
  validation: Validation;
  /** Builds what people write. */
  builder: Builder;
  /** Types of npm packages that were read lately, for those who write tools. */
  packageTypes: LruMap<string, KeptPackageTypes>;
  /** Rate limits and quotas. */
  limits: Limits;
  admission: Admission;
  /** Places of runs that other runs wait for. */
  childPlaces: ChildPlaces;
  queue: RunQueue;
  queueCounts: QueueCounts;
  runBytes: RunBytes;
  activeRuns: ActiveRuns;
  endings: RunEndings;
  /** Streams, uploads, waits and exports that are under way in this process. */
  holds: Holds;
  cluster: Cluster;
  /** Who waits here for news that may come by another node. */
  relay: Relay;
  /** Encrypts credentials. */
  envelopes: Envelopes;
  /** Connections whose tokens this process renews now, by the credential's id. */
  renewals: Map<string, Promise<CredentialTable | undefined>>;
  /** Providers that are being told of deleted connections. */
  revocations: Set<Promise<void>>;
  /** Chat platforms, and what answers there. */
  chat: Chat;
  fileStorage: FileStorage;
  /** Closes kept answers and inputs of runs that hold a secret. */
  answerSeal: Seal;
};
