import { describe, expect, it } from "vitest";
import { summarizeEvent } from "./event-summary.ts";

const id = "01a1ff4b-fa90-77a7-bca9-219d798daa7e";
const workspaceId = "01a1ff3d-dc5d-77ea-ae7c-4978aac3281d";
const memberName = () => "Ada";
const summarize = (
  action: string,
  target: string,
  details: Record<string, string | number | null>,
) => summarizeEvent({ action, target, details, actor: { userId: "me" }, workspaceId }, memberName);

describe("summarizeEvent", () => {
  it("names the target and lists what changed", () => {
    expect(summarize("run.create", id, { toolName: "csv_1", toolVersion: 3, draftId: id })).toBe(
      "csv_1 · tool version 3",
    );
    expect(summarize("workspace.rename", id, { name: "New", from: "Old" })).toBe("New · from Old");
    expect(summarize("workspace.configure", id, { runsDays: 7, logsDays: null })).toBe(
      "runs days 7",
    );
    expect(summarize("tool.archive", "csv_1", {})).toBe("csv_1");
  });

  it("shows members by name, and omits the target when it is the actor", () => {
    expect(summarize("member.change_role", id, { role: "admin", from: "member" })).toBe(
      "Ada · role admin · from member",
    );
    expect(summarize("workspace.transfer", id, { to: id })).toBe("to Ada");
    expect(summarize("member.leave", "me", { role: "member" })).toBe("role member");
  });

  it("shows the ID when there is nothing else to show", () => {
    expect(summarize("session.revoke", id, {})).toBe(id);
    expect(summarize("audit.export", workspaceId, {})).toBe("");
  });
});
