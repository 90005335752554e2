import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createEnvelopes } from "#lib/envelope";
import { startTestService } from "#testing/service";
import type { TestService } from "#testing/service";
import { followKey, openRootSecret } from "./root-secret.ts";
import { rotateKeys, RotationError } from "./rotate-keys.ts";
import { sealedColumns } from "./sealed-store.ts";

const keys = Array.from({ length: 4 }, () => randomBytes(32));
const [old, fresh, strange, third] = keys;
let test: TestService;
beforeAll(async () => {
  test = await startTestService({ ENCRYPTION_KEY: String(old?.toString("hex")) });
});
afterAll(() => test.stop());

const envelopesOf = (...given: (Buffer | undefined)[]) => {
  const [first, ...others] = given.filter((key) => key !== undefined);
  if (first === undefined) throw new Error("No key was given");
  return createEnvelopes(first, ...others);
};
const db = () => test.service.context.db;
const rotate = (given: (Buffer | undefined)[], hasNodes = false) =>
  rotateKeys(db(), envelopesOf(...given), { onProgress: () => undefined, hasNodes });
const createCredential = async (name: string) => {
  const draft = { name, value: "sesame-open", hosts: ["api.example.com"] };
  return String((await test.call("POST", "/credentials", draft)).body.id);
};
const change = (id: string, columns: object) =>
  db().kysely.updateTable("credentials").set(columns).where("id", "=", id).execute();

describe("a rotation", () => {
  it("lists every table with a wrapped key", async () => {
    const tables = await db().kysely.introspection.getTables();
    const wrapping = tables
      .filter(({ columns }) => columns.some(({ name }) => name.endsWith("wrapped_key")))
      .map(({ name }) => name);
    expect(wrapping.toSorted()).toEqual(sealedColumns.map(({ table }) => table).toSorted());
  });

  it("changes nothing without the current key, or while a node lacks the new one", async () => {
    await expect(rotate([fresh, strange])).rejects.toThrow(/ENCRYPTION_KEY_PREVIOUS/);
    await expect(rotate([fresh, old], true)).rejects.toThrow(RotationError);
    await expect(followKey(db(), envelopesOf(old))).resolves.toBeUndefined();
  });

  it("moves secrets that open to the new key, counts the rest by key, and continues once that key is given", async () => {
    const good = await createCredential("GOOD");
    const altered = await createCredential("ALTERED");
    await change(altered, { wrapped_key: Buffer.alloc(60).toString("base64") });
    const foreign = await createCredential("FOREIGN");
    const envelopes = envelopesOf(strange);
    const sealed = envelopes.seal("of another time", foreign);
    await change(foreign, {
      sealed_value: sealed.sealedValue,
      wrapped_key: sealed.wrappedKey,
      key_id: sealed.keyId,
    });
    const first = await rotate([fresh, old]);
    expect(first.moved).toBe(1);
    expect(first.unopened).toEqual(
      new Map([
        [envelopesOf(old).keyId, 1],
        [envelopes.keyId, 1],
      ]),
    );
    const second = await rotate([fresh, old, strange]);
    expect([second.moved, [...second.unopened.keys()]]).toEqual([1, [envelopesOf(old).keyId]]);
    const rows = await db().kysely.selectFrom("credentials").selectAll().execute();
    const opened = rows
      .filter(({ id }) => id === good || id === foreign)
      .map(({ id, sealed_value: sealedValue, wrapped_key: wrappedKey, key_id: keyId }) =>
        envelopesOf(fresh).open({ sealedValue, wrappedKey, keyId }, id),
      );
    expect(opened.toSorted()).toEqual(["of another time", "sesame-open"]);
  });

  it("does not change the root secret, which the old key alone no longer opens", async () => {
    const { log } = test.service.context;
    const before = await openRootSecret(db(), envelopesOf(fresh), log);
    expect((await rotate([third, fresh])).moved).toBe(2);
    expect(await openRootSecret(db(), envelopesOf(third), log)).toEqual(before);
    for (const key of [old, fresh]) {
      await expect(openRootSecret(db(), envelopesOf(key), log)).rejects.toThrow(
        "does not match this database",
      );
      await expect(followKey(db(), envelopesOf(key))).rejects.toThrow("does not match");
    }
  });
});
