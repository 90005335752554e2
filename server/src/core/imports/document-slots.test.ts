import { describe, expect, it } from "vitest";
import { createDocumentSlots } from "./document-slots.ts";

describe("createDocumentSlots", () => {
  it("refuses a second document of a workspace, and a fifth of all", async () => {
    const slots = createDocumentSlots();
    const finish: (() => void)[] = [];
    const hold = async (workspaceId: string) =>
      slots.use(workspaceId, () => new Promise<void>((resolve) => finish.push(resolve)));
    const held = ["a", "b", "c", "d"].map(hold);
    const refused = { code: "unavailable", retryAfterSeconds: 5 };
    await expect(hold("a")).rejects.toMatchObject(refused);
    await expect(hold("e")).rejects.toMatchObject(refused);
    finish.forEach((resolve) => resolve());
    await Promise.all(held);
    await expect(slots.use("a", () => Promise.reject(new Error("lost")))).rejects.toThrow("lost");
    expect(await slots.use("a", async () => "read")).toBe("read");
  });
});
