import { describe, expect, it } from "vitest";
import { openForm, toInput } from "./alert-form.ts";

const alert = {
  id: "a",
  name: "Nightly",
  toolName: "report_abcd",
  condition: { kind: "no_success", hours: 30 },
  notify: { userIds: ["u"], webhookIds: [], chats: [{ connectionId: "c", channel: "C1" }] },
  quietHours: { timeZone: "Europe/Berlin", start: "20:00", end: "06:00" },
  enabled: true,
  state: "ok",
  stateSince: "2030-01-01T00:00:00Z",
  summary: null,
  problem: null,
  checkedAt: null,
  createdBy: "u",
  createdAt: "2030-01-01T00:00:00Z",
  updatedAt: "2030-01-01T00:00:00Z",
} as const;

describe("toInput", () => {
  it("returns what an alert has", () => {
    const { name, toolName, condition, notify, quietHours } = alert;
    const given = {
      ...alert,
      notify: { ...notify, userIds: ["u"], webhookIds: [], chats: [...notify.chats] },
    };
    const input = toInput(openForm(given, "me", "UTC"));
    expect(input).toEqual({ name, toolName, condition, notify, quietHours });
  });

  it("returns all channels of a chat", () => {
    const chats = ["C1", "C2"].map((channel) => ({ connectionId: "c", channel }));
    const notify = { userIds: [], webhookIds: [], chats };
    const form = openForm({ ...alert, notify }, "me", "UTC");
    expect(form.channels).toEqual({ c: "C1, C2" });
    expect(toInput(form).notify).toEqual(notify);
  });

  it("leaves out what does not apply", () => {
    const form = openForm(undefined, "me", "UTC");
    const input = toInput({ ...form, kind: "credential", toolName: "x", channels: { c: " " } });
    expect(input).toEqual({
      name: "",
      toolName: null,
      condition: { kind: "credential", days: 14 },
      notify: { userIds: ["me"], webhookIds: [], chats: [] },
      quietHours: null,
    });
  });
});
