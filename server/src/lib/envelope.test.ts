import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { createEnvelopes } from "./envelope.ts";

const one = createEnvelopes(randomBytes(32));
const other = createEnvelopes(randomBytes(32));

describe("an envelope", () => {
  it("opens with its key for its record, and differs each time", () => {
    const sealed = one.seal("sesame ✓", "record 1");
    expect(one.open(sealed, "record 1")).toBe("sesame ✓");
    const again = one.seal("sesame ✓", "record 1");
    expect(again.sealedValue).not.toBe(sealed.sealedValue);
    expect(again.wrappedKey).not.toBe(sealed.wrappedKey);
    expect(JSON.stringify(sealed)).not.toContain("sesame");
  });

  it("does not open for another record, with another key, or after a bit was changed", () => {
    const sealed = one.seal("sesame", "record 1");
    expect(() => one.open(sealed, "record 2")).toThrow("authenticate");
    expect(() => other.open(sealed, "record 1")).toThrow("unknown ENCRYPTION_KEY");
    for (const part of ["sealedValue", "wrappedKey"] as const) {
      const bytes = Buffer.from(sealed[part], "base64");
      for (let place = 0; place < bytes.length; place += 5) {
        const turned = Buffer.from(bytes);
        turned[place] = (turned[place] ?? 0) ^ 1;
        expect(() =>
          one.open({ ...sealed, [part]: turned.toString("base64") }, "record 1"),
        ).toThrow("authenticate");
      }
    }
  });

  it("rejects the key of another envelope of the same record", () => {
    const [first, second] = [one.seal("a", "r"), one.seal("b", "r")];
    expect(() => one.open({ ...first, wrappedKey: second.wrappedKey }, "r")).toThrow(
      "authenticate",
    );
  });

  it("moves to another key without decrypting the text, and opens with either key", () => {
    const [old, fresh] = [randomBytes(32), randomBytes(32)];
    const before = createEnvelopes(old);
    const sealed = before.seal("sesame", "record 1");
    const both = createEnvelopes(fresh, old);
    expect(both.open(sealed, "record 1")).toBe("sesame");
    const moved = both.rewrap(sealed, "record 1");
    expect(moved.sealedValue).toBe(sealed.sealedValue);
    expect([moved.keyId, both.keyId]).toEqual([both.keyIds[0], both.keyIds[0]]);
    expect(createEnvelopes(fresh).open(moved, "record 1")).toBe("sesame");
    expect(() => before.open(moved, "record 1")).toThrow("unknown ENCRYPTION_KEY");
    expect(() => both.rewrap(moved, "record 2")).toThrow("authenticate");
  });

  it("seals with the requested key if it is available", () => {
    const [old, fresh] = [randomBytes(32), randomBytes(32)];
    const both = createEnvelopes(fresh, old);
    expect(both.sealWith(createEnvelopes(old).keyId)).toBe(true);
    expect(createEnvelopes(old).open(both.seal("sesame", "r"), "r")).toBe("sesame");
    expect(both.sealWith(other.keyId)).toBe(false);
    expect(both.keyId).toBe(createEnvelopes(old).keyId);
  });
});
