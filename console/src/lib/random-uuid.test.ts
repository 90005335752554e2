import { describe, expect, it } from "vitest";
import { provideRandomUuid } from "./random-uuid.ts";

describe("provideRandomUuid", () => {
  it("generates version 4 UUIDs in insecure contexts", () => {
    const target: Pick<Crypto, "getRandomValues"> & Partial<Pick<Crypto, "randomUUID">> = {
      getRandomValues: (bytes) => crypto.getRandomValues(bytes),
    };
    provideRandomUuid(target);
    const made = target.randomUUID?.();
    expect(made).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(target.randomUUID?.()).not.toBe(made);
  });
});
