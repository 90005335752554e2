import { describe, expect, it } from "vitest";
import { eventLabel } from "./labels.ts";
import { summarizeEvent } from "./event-summary.ts";

const id = "01a1ff4b-fa90-77a7-bca9-219d798daa7e";
const names = {
  ofUser: () => "Ada",
  ofInvitation: (invitation: string) => (invitation === id ? "ada@example.com" : undefined),
};

type Details = Record<string, string | number | boolean | null>;

describe("summarizeEvent", () => {
  it.each<[string, string, Details, string]>([
    ["run.create", id, { toolName: "csv_1", toolVersion: 3 }, "csv_1, version 3"],
    [
      "run.create",
      id,
      { toolName: `draft-${id}`, toolVersion: 1, draftId: id },
      "unpublished tool",
    ],
    ["run.create", id, { toolName: "csv_1", toolVersion: 1, draftId: id }, "csv_1"],
    ["tool.archive", "csv_1", {}, "csv_1"],
    ["tool.restore", "csv_1", { version: 4, restoredFrom: 2 }, "csv_1, version 2 as version 4"],
    [
      "tool.approve",
      "csv_1",
      {
        version: 1,
        owner: "workspace",
        how: "save",
        credentials: "A_KEY B_KEY",
        hosts: "a.example",
      },
      "csv_1, version 1, A_KEY, B_KEY, shared with the workspace, by saving",
    ],
    [
      "credential.create",
      id,
      { name: "A_KEY", owner: "user", hosts: "a.example b.example", kind: "value" },
      "A_KEY, personal, sent to a.example, b.example",
    ],
    ["workspace.rename", id, { name: "New", from: "Old" }, "from Old to New"],
    [
      "workspace.configure",
      id,
      { runsDays: 7, logsDays: null },
      "runs: 7 days, logs: server default",
    ],
    ["workspace.transfer", id, { to: id }, "to Ada"],
    ["member.change_role", id, { role: "admin", from: "member" }, "Ada, from member to admin"],
    ["member.leave", "me", { role: "member" }, "with the role member"],
    ["invitation.create", id, { role: "member" }, "ada@example.com, with the role member"],
    ["invitation.revoke", id, {}, "…8daa7e"],
    ["api_key.revoke", id, {}, "…8daa7e"],
    ["api_key.revoke", id, { name: "Nightly", userId: "me" }, "Nightly"],
    ["api_key.revoke", id, { name: "Nightly", userId: id }, "Nightly, of Ada"],
    ["connected_app.revoke", id, { client: "Cursor", userId: id }, "Cursor, of Ada"],
    ["chat.connect", id, { platform: "slack", team: "T1" }, "Slack workspace, T1"],
    ["file.upload", id, { fileName: "a.csv", size: 2_048, sha256: null }, "a.csv, 2.0 KiB"],
    ["session.revoke", id, {}, "…8daa7e"],
    ["audit.export", id, {}, ""],
    ["later.added", id, { unknown: "detail" }, "…8daa7e"],
  ])("describes %s of %s with %j", (action, target, details, summary) => {
    const event = { action, target, details, actor: { userId: "me" } };
    expect(summarizeEvent(event, names)).toBe(summary);
  });

  it("shows nothing of a hidden event", () => {
    const event = { action: "tool.update", target: "", details: {}, actor: { userId: "me" } };
    expect(summarizeEvent({ ...event, hidden: true }, names)).toBe("Private");
  });
});

describe("eventLabel", () => {
  it("tells runs of drafts from runs of tools", () => {
    expect(eventLabel({ action: "run.create", details: { draftId: id } })).toBe("Ran draft");
    expect(eventLabel({ action: "run.create", details: {} })).toBe("Ran tool");
  });
});
