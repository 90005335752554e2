import type { AlertEvent } from "@toolhost/contract";

const count = (runs: number) => (runs === 1 ? "1 run" : `${runs.toLocaleString("en")} runs`);

function span(minutes: number): string {
  if (minutes % 60 !== 0) return `${minutes} minutes`;
  return minutes === 60 ? "hour" : `${minutes / 60} hours`;
}

type Notification = { type: AlertEvent["type"]; name: string; summary: string; url: string };

const headings = { firing: "Alert", resolved: "Resolved", test: "Test of alert" };

/** The texts of notifications. */
export const messages = {
  failureRate: (failed: number, ended: number, minutes: number) =>
    ended === 0
      ? `No run completed or failed in the last ${span(minutes)}.`
      : `${failed.toLocaleString("en")} of ${count(ended)} failed in the last ${span(minutes)} (${Math.round((failed / ended) * 100)}%).`,
  success: (completed: number, hours: number) =>
    completed === 0
      ? `No run completed in the last ${span(hours * 60)}.`
      : `${count(completed)} completed in the last ${span(hours * 60)}.`,
  noCredentials: "All keys and connections are valid.",
  keyExpires: (name: string, date: string) => `The API key "${name}" expires on ${date}.`,
  tokenExpires: (name: string, date: string) => `The connection ${name} expires on ${date}.`,
  mustReconnect: (name: string) => `The connection ${name} must be reconnected.`,
  refreshFails: (name: string) => `The connection ${name} cannot be refreshed.`,
  more: (number: number) => `And ${number} more.`,
  hiddenTool: "The tool was archived, or is private now. Change the alert, or share the tool.",
  stillCounting: "Runs are still being counted, as after an upgrade.",
  notAMember: "The user is no longer a member of the workspace.",
  test: "This is a test. The alert itself has not changed.",
  email: (to: string, { type, name, summary, url }: Notification) => ({
    to,
    subject: `${headings[type]}: ${name}`,
    lines: [summary, url],
  }),
  chat: ({ type, name, summary, url }: Notification) => [
    { kind: "text", text: `${headings[type]}: ${name}` } as const,
    { kind: "text", text: summary } as const,
    { kind: "link", label: "View alert", url } as const,
  ],
};
