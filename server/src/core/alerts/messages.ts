import type { AlertEvent } from "@toolhost/contract";

const count = (runs: number) => (runs === 1 ? "1 run" : `${runs.toLocaleString("en")} runs`);

function span(minutes: number): string {
  if (minutes % 60 !== 0) return `${minutes} minutes`;
  return minutes === 60 ? "hour" : `${minutes / 60} hours`;
}

type Notification = {
  type: AlertEvent["type"];
  name: string;
  summary: string;
  url: string;
  workspaceName: string;
  toolTitle: string | null;
  at: number;
};

/** What an alert is about, and when: recipients may have several workspaces, and quiet hours delay notifications. */
function about({ workspaceName, toolTitle, at }: Notification): string {
  const tool = toolTitle === null ? [] : [`Tool: ${toolTitle}`];
  const time = `${new Date(at).toISOString().slice(0, 16).replace("T", " ")} UTC`;
  return [...tool, `Workspace: ${workspaceName}`, `Time: ${time}`].join(", ");
}

const explained = (text: string, detail: string) => `${text} (${detail})`;

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
  noMailServer:
    "This server has no mail server (SMTP_URL). The email was written to the log of the server.",
  notAMember: "The user is no longer a member of the workspace.",
  test: "This is a test. The alert itself has not changed.",
  noChannel: (detail: string) =>
    explained(
      "No channel has this ID, or the bot is not a member of it. Check the ID, and invite the bot.",
      detail,
    ),
  missingRight: (detail: string) =>
    explained("The app lacks a permission. Reconnect the chat in the settings.", detail),
  email: (to: string, notification: Notification) => ({
    to,
    subject: `${headings[notification.type]}: ${notification.name}`,
    lines: [notification.summary, about(notification), notification.url],
  }),
  chat: (notification: Notification) => [
    { kind: "text", text: `${headings[notification.type]}: ${notification.name}` } as const,
    { kind: "text", text: notification.summary } as const,
    { kind: "text", text: about(notification) } as const,
    { kind: "link", label: "View alert", url: notification.url } as const,
  ],
};
