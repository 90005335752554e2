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
  /** The channels in each chat, separated by commas, by the ID of the connection. */
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
    channels: channelsOf(alert?.notify.chats ?? []),
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

function channelsOf(chats: Alert["notify"]["chats"]): AlertForm["channels"] {
  const byChat = Map.groupBy(chats, ({ connectionId }) => connectionId);
  return Object.fromEntries(
    [...byChat].map(([id, of]) => [id, of.map(({ channel }) => channel).join(", ")]),
  );
}

/** The channels to notify. */
export function chatsOf(channels: AlertForm["channels"]): CreateAlertInput["notify"]["chats"] {
  return Object.entries(channels).flatMap(([connectionId, text]) =>
    [...new Set(text.split(/[\s,]+/))]
      .filter((channel) => channel !== "")
      .map((channel) => ({ connectionId, channel })),
  );
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
