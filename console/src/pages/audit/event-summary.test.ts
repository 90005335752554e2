import { expect, it } from "vitest";
import { summarizeEvent } from "./event-summary.ts";

const id = "01a1ff4b-fa90-77a7-bca9-219d798daa7e";
const ours = "01a1ff3d-dc5d-77ea-ae7c-4978aac3281d";
const memberName = () => "Ada";
const of = (action: string, target: string, details: Record<string, string | number | null>) =>
  summarizeEvent(
    { action, target, details, actor: { userId: "me" }, workspaceId: ours },
    memberName,
  );

it("says what was acted on by its name, and what was changed of it", () => {
  expect(of("run.create", id, { toolName: "csv_1", toolVersion: 3, draftId: id })).toBe(
    "csv_1 · tool version 3",
  );
  expect(of("workspace.rename", id, { name: "New", from: "Old" })).toBe("New · from Old");
  expect(of("workspace.configure", id, { runsDays: 7, logsDays: null })).toBe("runs days 7");
  expect(of("tool.archive", "csv_1", {})).toBe("csv_1");
});

it("calls people by their names, and whoever acted on themselves not twice", () => {
  expect(of("member.change_role", id, { role: "admin", from: "member" })).toBe(
    "Ada · role admin · from member",
  );
  expect(of("workspace.transfer", id, { to: id })).toBe("to Ada");
  expect(of("member.leave", "me", { role: "member" })).toBe("role member");
});

it("shows the id where there is nothing else to say", () => {
  expect(of("session.revoke", id, {})).toBe(id);
  expect(of("audit.export", ours, {})).toBe("");
});
