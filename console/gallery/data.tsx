import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { RouterContextProvider } from "@tanstack/react-router";
import type { Alert } from "@toolhost/contract";
import type { ReactNode } from "react";
import { Chart } from "#components/chart/chart";
import type { Point } from "../src/components/chart/series.ts";
import { Differences } from "#components/differences";
import { AlertRow } from "../src/pages/alerts/alert-row.tsx";
import { createConsoleRouter } from "../src/router.tsx";
import { Section } from "./section.tsx";

const hour = (at: number) => `${String(at).padStart(2, "0")}:00`;

/** Hours of which some have no runs, and the last one stands alone. */
const points: readonly Point[] = Array.from({ length: 24 }, (_, at) => {
  const hasRuns = at < 16 || at === 23;
  const completed = hasRuns ? 40 + ((at * 37) % 50) : 0;
  return {
    key: String(at),
    label: `Nov 28, ${hour(at)}`,
    tick: hour(at),
    values: {
      completed,
      failed: hasRuns ? (at * 13) % 11 : 0,
      p50Ms: hasRuns ? 40 + ((at * 7) % 20) : null,
      p95Ms: hasRuns ? 180 + ((at * 53) % 140) : null,
    },
  };
});

const alert: Alert = {
  id: "1",
  name: "Orders fail",
  toolName: null,
  condition: { kind: "failure_rate", percent: 50, windowMinutes: 60, minRuns: 5 },
  notify: { userIds: [], webhookIds: [], chats: [] },
  quietHours: null,
  enabled: true,
  state: "firing",
  stateSince: "2026-11-28T09:00:00Z",
  summary: "12 of 20 runs failed.",
  problem: null,
  checkedAt: "2026-11-28T09:30:00Z",
  createdBy: "1",
  createdAt: "2026-11-01T00:00:00Z",
  updatedAt: "2026-11-01T00:00:00Z",
};

const alerts: readonly Alert[] = [
  alert,
  { ...alert, id: "2", name: "Nightly export", state: "ok", summary: "The last run succeeded." },
  { ...alert, id: "3", name: "Paused", enabled: false },
  { ...alert, id: "4", name: "Broken", state: "ok", problem: "The tool was archived." },
];

const code = "export default async ({ city }: Input) => ({ text: `Mostly dry in ${city}.` });";

const client = new QueryClient();
const router = createConsoleRouter();

/** What shows figures, changes and states. */
export function Data(): ReactNode {
  return (
    <QueryClientProvider client={client}>
      <RouterContextProvider router={router}>
        <Section title="Charts">
          <Chart
            title="Runs"
            summary="Runs per hour"
            kind="bars"
            points={points}
            series={[
              { id: "completed", label: "Completed", color: "var(--good)" },
              { id: "failed", label: "Failed", color: "var(--bad)" },
            ]}
            format={String}
            firstColumn="Hour"
          />
          <Chart
            title="Duration"
            summary="Durations per hour"
            kind="lines"
            points={points}
            series={[
              { id: "p50Ms", label: "Median", color: "var(--strong)" },
              { id: "p95Ms", label: "95th percentile", color: "var(--warn)", dashes: "5 4" },
            ]}
            format={(value) => `${value} ms`}
            firstColumn="Hour"
          />
        </Section>
        <Section title="Changes">
          <Differences
            before={{ title: "Weather", source: { code } }}
            after={{ title: "Weather forecast", source: { code: code.replace("dry", "sunny") } }}
          />
        </Section>
        <Section title="Alerts">
          <ul className="ui-card divide-y divide-line">
            {alerts.map((one) => (
              <li key={one.id}>
                <AlertRow alert={one} />
              </li>
            ))}
          </ul>
        </Section>
      </RouterContextProvider>
    </QueryClientProvider>
  );
}
