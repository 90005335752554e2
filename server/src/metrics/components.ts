import { statfs } from "node:fs/promises";
import type { Context } from "#core/context";
import type { Instruments } from "./instruments.ts";

/** What `/readyz` reports. */
export type ReadReadiness = () => {
  database: { ready: boolean };
  sandbox: { ready: boolean };
};

/** Adds the state of the node, its database, its disk and its connections. */
export function addComponentMetrics(
  { config, cluster, concurrency, db }: Context,
  { gauge, family }: Instruments,
  readReadiness: ReadReadiness,
): void {
  family(
    "gauge",
    {
      name: "ready",
      help: "Whether a component works, as reported by /readyz: 1 or 0.",
      labelNames: ["component"],
    },
    () => {
      const { database, sandbox } = readReadiness();
      return [
        { labels: { component: "database" }, value: Number(database.ready) },
        { labels: { component: "sandbox" }, value: Number(sandbox.ready) },
      ];
    },
  );
  gauge("nodes", "Live nodes, as seen by this one.", () => cluster.size);
  gauge("streams_open", "Open streams in this process.", () => concurrency.count("streams"));
  gauge(
    "streams_max",
    "Streams that this process may have open (NODE_MAX_STREAMS); 0 is no limit.",
    () => config.NODE_MAX_STREAMS,
  );
  gauge("uploads_open", "Uploads in progress in this process.", () => concurrency.count("uploads"));
  gauge(
    "memory_limit_bytes",
    "Memory of the machine or control group, which the default sizes follow from.",
    () => config.memoryBytes,
  );
  gauge("data_disk_free_bytes", "Free space on the disk of DATA_DIR.", async () => {
    const { bavail, bsize } = await statfs(config.dataDir);
    return bavail * bsize;
  });
  const { connections } = db;
  if (connections === undefined) return;
  gauge("database_connections_open", "Open connections to the database.", () => {
    return connections().open;
  });
  gauge("database_connections_idle", "Open connections that no statement uses.", () => {
    return connections().idle;
  });
  gauge(
    "database_connections_max",
    "Connections that this process may open (DATABASE_POOL_SIZE).",
    () => config.DATABASE_POOL_SIZE,
  );
}
