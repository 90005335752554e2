import type { Config } from "#config";
import type { Database } from "#db";
import type { Clock } from "#lib/clock";
import type { Envelopes } from "#lib/envelope";
import type { Log } from "#lib/log";
import type { Seal } from "#lib/seal";
import type { AccessLog, Meter, Tracing } from "#telemetry";
import type { LastUsed } from "./last-used.ts";
import type { Mailer } from "./mail/mailer.ts";
import type { Cluster } from "./nodes/cluster.ts";

/** The context that every core function may use, including during the first start. */
export type BaseContext = { config: Config; db: Database; clock: Clock; log: Log };

/** This process, as one of the nodes that share the database. */
export type NodeContext = BaseContext & {
  nodeId: string;
  cluster: Cluster;
  mailer: Mailer;
  /** Encrypts stored secrets. */
  envelopes: Envelopes;
  /** Encrypts stored responses and run inputs that contain a secret. */
  responseSeal: Seal;
  /** The records of the Idempotency-Keys whose requests this process serves now. */
  servedKeys: Set<string>;
  lastUsed: LastUsed;
  tracing: Tracing;
  meter: Meter;
  accessLog: AccessLog;
};
