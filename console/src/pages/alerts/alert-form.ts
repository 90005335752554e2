import type { Alert, AlertCondition, CreateAlertInput } from "@toolhost/contract";

/** What the form shows, as text where the user types. */
export type AlertForm = {
  name: string;
  kind: AlertCondition["kind"];
  percent: string;
  windowMinutes: string;
  minRuns: string;
  hours: string;
  days: string;
  toolName: string;
  userIds: readonly string[];
  webhookIds: readonly string[];
  /** The channel in each chat, by the ID of the connection. */
  channels: Readonly<Record<string, string>>;
  isQuiet: boolean;
  start: string;
  end: string;
  timeZone: string;
};

/** The form for an alert, or for a new one that notifies the user. */
export function openForm(alert: Alert | undefined, userId: string, timeZone: string): AlertForm {
  const given = alert?.condition;
  const numbers = {
    percent: 50,
    windowMinutes: 60,
    minRuns: 5,
    hours: 24,
    days: 14,
    ...given,
  };
  const { start = "22:00", end = "07:00" } = alert?.quietHours ?? {};
  return {
    name: alert?.name ?? "",
    kind: given?.kind ?? "failure_rate",
    percent: String(numbers.percent),
    windowMinutes: String(numbers.windowMinutes),
    minRuns: String(numbers.minRuns),
    hours: String(numbers.hours),
    days: String(numbers.days),
    toolName: alert?.toolName ?? "",
    userIds: alert?.notify.userIds ?? [userId],
    webhookIds: alert?.notify.webhookIds ?? [],
    channels: Object.fromEntries(
      (alert?.notify.chats ?? []).map(({ connectionId, channel }) => [connectionId, channel]),
    ),
    isQuiet: alert?.quietHours != null,
    start,
    end,
    timeZone: alert?.quietHours?.timeZone ?? timeZone,
  };
}

/** The request of the form. The service validates it. */
export function toInput(form: AlertForm): CreateAlertInput {
  const { name, kind, start, end, timeZone } = form;
  const toolName = form.toolName.trim();
  return {
    name,
    toolName: toolName === "" || kind === "credential" ? null : toolName,
    condition: conditionOf(form),
    notify: {
      userIds: [...form.userIds],
      webhookIds: [...form.webhookIds],
      chats: chatsOf(form.channels),
    },
    quietHours: form.isQuiet ? { timeZone, start, end } : null,
  };
}

/** The channels to notify: those that are not empty. */
export function chatsOf(channels: AlertForm["channels"]): CreateAlertInput["notify"]["chats"] {
  return Object.entries(channels)
    .map(([connectionId, channel]) => ({ connectionId, channel: channel.trim() }))
    .filter(({ channel }) => channel !== "");
}

function conditionOf(form: AlertForm): AlertCondition {
  switch (form.kind) {
    case "failure_rate":
      return {
        kind: "failure_rate",
        percent: Number(form.percent),
        windowMinutes: Number(form.windowMinutes),
        minRuns: Number(form.minRuns),
      };
    case "no_success":
      return { kind: "no_success", hours: Number(form.hours) };
    default:
      return { kind: "credential", days: Number(form.days) };
  }
}
