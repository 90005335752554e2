import { expect, it } from "vitest";
import { mayManage } from "./roles.ts";

it("lets owners manage everybody, admins those below them, and others nobody", () => {
  expect(mayManage("owner", "owner")).toBe(true);
  expect(mayManage("admin", "builder")).toBe(true);
  expect(mayManage("admin", "admin")).toBe(false);
  expect(mayManage("admin", "owner")).toBe(false);
  expect(mayManage("builder", "viewer")).toBe(false);
  expect(mayManage("unknown", "viewer")).toBe(false);
});
