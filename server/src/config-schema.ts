import { z } from "zod";
import { chatSettings } from "./config-chat.ts";
import { embeddingsSettings } from "./config-embeddings.ts";
import {
  capSettings,
  concurrencySettings,
  connectionSettings,
  rateSettings,
} from "./config-limits.ts";
import {
  buildSettings,
  egressSettings,
  runSettings,
  sandboxSettings,
  workerSettings,
} from "./config-runs.ts";
import {
  databaseSettings,
  monitoringSettings,
  networkSettings,
  shutdownSettings,
  signInSettings,
} from "./config-server.ts";
import { fileSettings, retentionSettings } from "./config-storage.ts";
import { tracingSettings } from "./config-tracing.ts";

/** All settings with their defaults. `npm run generate:docs` writes the reference and `.env.example` from their metadata. */
export const settings = z.object({
  ...networkSettings,
  ...databaseSettings,
  ...signInSettings,
  ...chatSettings,
  ...embeddingsSettings,
  ...monitoringSettings,
  ...tracingSettings,
  ...sandboxSettings,
  ...runSettings,
  ...egressSettings,
  ...buildSettings,
  ...workerSettings,
  ...rateSettings,
  ...capSettings,
  ...concurrencySettings,
  ...connectionSettings,
  ...fileSettings,
  ...retentionSettings,
  ...shutdownSettings,
});

/** A section of the configuration reference. */
export type SettingGroup = {
  title: string;
  text?: string;
  settings: Readonly<Record<string, z.ZodType>>;
};

const perNode = "On each node; 0 turns a limit off.";

/** All settings in the order of the configuration reference. Markdown links start in `docs/reference`. */
export const settingGroups: readonly SettingGroup[] = [
  { title: "Network", settings: networkSettings },
  { title: "Database and encryption", settings: databaseSettings },
  { title: "Sign-in and email", settings: signInSettings },
  { title: "Chat bot", settings: chatSettings },
  { title: "Search by meaning", settings: embeddingsSettings },
  { title: "Logs and metrics", settings: monitoringSettings },
  { title: "Traces", text: "OpenTelemetry's standard variables.", settings: tracingSettings },
  { title: "Sandbox", settings: sandboxSettings },
  {
    title: "Runs",
    text: "Limits of a run, which a tool can lower, and of the queue. [Limits](limits.md#runs) lists their errors.",
    settings: runSettings,
  },
  { title: "Network access of tools", settings: egressSettings },
  {
    title: "Builds",
    text: "Packages come from the registry that npm is configured for: `npm_config_registry`, `.npmrc` and `HTTPS_PROXY`.",
    settings: buildSettings,
  },
  { title: "Validation", settings: workerSettings },
  {
    title: "Rates and quotas",
    text: "Per minute unless noted; 0 turns a limit off. [Limits](limits.md) describes each with its error.",
    settings: rateSettings,
  },
  {
    title: "Caps",
    text: "How many of something can exist; 0 turns a cap off. See [Caps](limits.md#caps).",
    settings: capSettings,
  },
  { title: "Concurrency", text: perNode, settings: concurrencySettings },
  {
    title: "Connections and requests",
    text: "Connections without progress are closed. See [Connections](limits.md#connections).",
    settings: connectionSettings,
  },
  { title: "Files", settings: fileSettings },
  { title: "Retention", settings: retentionSettings },
  { title: "Shutdown", settings: shutdownSettings },
];
