import { describe, expect, it } from "vitest";
import { createDocumentSlots } from "./document-slots.ts";

const refused = { code: "unavailable", retryAfterSeconds: 5 };

describe("createDocumentSlots", () => {
  it("refuses a second document with a key, and more than 64 of all", async () => {
    const slots = createDocumentSlots();
    const finish: (() => void)[] = [];
    const hold = async (key: string) =>
      slots.use(key, () => new Promise<void>((resolve) => finish.push(resolve)));
    const held = Array.from({ length: 64 }, (_, at) => hold(`workspace ${at}`));
    await expect(hold("workspace 0")).rejects.toMatchObject(refused);
    await expect(hold("another")).rejects.toMatchObject(refused);
    finish.forEach((resolve) => resolve());
    await Promise.all(held);
    await expect(slots.use("a", () => Promise.reject(new Error("lost")))).rejects.toThrow("lost");
    expect(await slots.use("a", async () => "read")).toBe("read");
  });

  it("has four documents in memory, while others wait and stalled downloads hold up no one", async () => {
    const slots = createDocumentSlots();
    const stalled = Promise.withResolvers<void>();
    const downloads = ["a", "b", "c", "d", "e"].map((key) => slots.use(key, () => stalled.promise));
    let inMemory = 0;
    let most = 0;
    const read = (key: string) =>
      slots.use(key, (use) =>
        use(async () => {
          inMemory += 1;
          most = Math.max(most, inMemory);
          await new Promise(setImmediate);
          inMemory -= 1;
        }),
      );
    await Promise.all(Array.from({ length: 20 }, (_, at) => read(String(at))));
    expect(most).toBe(4);
    stalled.resolve();
    await Promise.all(downloads);
  });
});
