import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { readdir, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestService } from "#testing/service";
import type { TestService } from "#testing/service";
import { cleanFileName } from "./file.ts";
import { createFile } from "./create-file.ts";
import type { Maker } from "./file.ts";
import { removeExpiredFiles, removeStaleIncoming } from "./remove-expired.ts";
import { spool } from "./spool.ts";
import { readUntilMarker } from "./read-until-marker.ts";

let test: TestService;
beforeAll(async () => {
  test = await startTestService();
});
afterAll(() => test.stop());

const info = { fileName: "a.txt", mimeType: "text/plain" };
const context = () => test.service.context;
const maker = (): Maker => ({
  userId: randomUUID(),
  workspaceId: test.workspaceId,
  actor: { userId: null },
  via: "rest",
  requestId: null,
  ip: null,
});
const make = async (text: string) => {
  const spooled = await spool(context(), [Buffer.from(text)], 1_000);
  return createFile(context(), maker(), info, { spooled });
};
const pathOf = (fileId: string) =>
  join(context().config.dataDir, "files", test.workspaceId, fileId);
const rowOf = (fileId: string) =>
  context().db.kysely.selectFrom("files").selectAll().where("id", "=", fileId).executeTakeFirst();
const expire = (fileId: string) =>
  context()
    .db.kysely.updateTable("files")
    .set({ expires_at: 1 })
    .where("id", "=", fileId)
    .execute();

describe("the sweep of files", () => {
  it("deletes the bytes and rows of expired files, and no others", async () => {
    const [old, fresh] = [await make("old"), await make("fresh")];
    await expire(old.fileId);
    expect(await removeExpiredFiles(context(), 10)).toBe(1);
    expect([existsSync(pathOf(old.fileId)), await rowOf(old.fileId)]).toEqual([false, undefined]);
    expect([existsSync(pathOf(fresh.fileId)), (await rowOf(fresh.fileId))?.status]).toEqual([
      true,
      "ready",
    ]);
  });

  it("deletes what a process left that died while it stored a file", async () => {
    const file = await make("bytes");
    await context()
      .db.kysely.updateTable("files")
      .set({ status: "storing", expires_at: Date.now() - 1_000 })
      .where("id", "=", file.fileId)
      .execute();
    expect(await removeExpiredFiles(context(), 10)).toBe(1);
    expect([existsSync(pathOf(file.fileId)), await rowOf(file.fileId)]).toEqual([false, undefined]);
  });

  it("deletes the bytes of unfinished uploads once they are no longer written", async () => {
    const { incomingDir } = context().fileStorage;
    const [old, fresh] = [join(incomingDir, "old"), join(incomingDir, "fresh")];
    await writeFile(old, "1");
    await writeFile(fresh, "2");
    const past = Date.now() / 1_000 - 3_700;
    await utimes(old, past, past);
    await removeStaleIncoming(context(), 3_600_000);
    expect(await readdir(incomingDir)).toEqual(["fresh"]);
  });
});

describe("storing a file", () => {
  it("leaves nothing for long when the storage fails", async () => {
    const broken = {
      ...context(),
      fileStorage: { ...context().fileStorage, put: () => Promise.reject(new Error("full")) },
    };
    const by = maker();
    const spooled = await spool(context(), [Buffer.from("x")], 10);
    await expect(createFile(broken, by, info, { spooled })).rejects.toThrow("full");
    await spooled.discard();
    const rows = await context()
      .db.kysely.selectFrom("files")
      .selectAll()
      .where("user_id", "=", by.userId)
      .execute();
    expect(rows).toMatchObject([{ status: "storing", expires_at: 0 }]);
    expect(await removeExpiredFiles(context(), 10)).toBe(1);
  });

  it("hides files from other users of the machine", async () => {
    const { stat } = await import("node:fs/promises");
    const file = await make("private");
    const modes = await Promise.all(
      [pathOf(file.fileId), join(context().config.dataDir, "files")].map(
        async (path) => (await stat(path)).mode & 0o077,
      ),
    );
    expect(modes).toEqual([0, 0]);
  });
});

describe("readUntilMarker", () => {
  const read = async (chunks: string[], mark: string) => {
    const parts: Buffer[] = [];
    for await (const part of readUntilMarker(
      chunks.map((chunk) => Buffer.from(chunk)),
      mark,
    )) {
      parts.push(Buffer.from(part));
    }
    return Buffer.concat(parts).toString();
  };

  it.each([
    [["hello", "MARK"], "hello"],
    [["helloMA", "RK"], "hello"],
    [["h", "e", "MARK", "l", "M", "A", "R", "K"], "heMARKl"],
    [["MARK"], ""],
  ])("yields the bytes before the mark, however they are chunked: %j", async (chunks, text) => {
    expect(await read(chunks, "MARK")).toBe(text);
  });

  it.each([[["hello"]], [["helloMARKx"]], [["MAR"]], [[]]])(
    "throws if the bytes do not end with the mark: %j",
    async (chunks) => {
      await expect(read(chunks, "MARK")).rejects.toMatchObject({ code: "invalid_request" });
    },
  );

  it("throws when no end mark was set", async () => {
    await expect(read(["hello"], "")).rejects.toMatchObject({ code: "invalid_request" });
  });
});

it("cuts a long name between characters", () => {
  const name = cleanFileName("👍".repeat(300));
  expect([name.length, name.isWellFormed()]).toEqual([254, true]);
});
