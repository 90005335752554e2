import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, statSync } from "node:fs";
import {
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { readConfig } from "#config";
import type { Config } from "#config";
import { openSqlite, restoreMarker } from "#db";
import { startTestService } from "#testing/service";
import type { TestService } from "#testing/service";
import { startService } from "../start.ts";
import { createBackup } from "./create-backup.ts";
import { restoreBackup } from "./restore-backup.ts";

// A server has its own tools; the commands refuse to run on one.
describe.skipIf(process.env["TEST_DIALECT"] === "postgres")("a backup", () => {
  let test: TestService;
  let scratch: string;
  /** An empty folder for a backup, and one to restore into. */
  let folder: string;
  let restored: Config;
  let count = 0;

  beforeAll(async () => {
    scratch = await mkdtemp(join(tmpdir(), "toolhost-backup-"));
    test = await startTestService();
    const draft = { name: "BACKED_UP", value: "open sesame", hosts: ["api.example.com"] };
    await test.api("POST /credentials", { body: draft });
  });
  afterAll(async () => {
    await test.stop();
    await rm(scratch, { recursive: true });
  });
  beforeEach(() => {
    count += 1;
    folder = join(scratch, `backup-${count}`);
    restored = { ...config(), dataDir: join(scratch, `restored-${count}`), PORT: 0 };
  });

  const config = () => test.service.context.config;
  const upload = async (text: string) => {
    const contentBase64 = Buffer.from(text).toString("base64");
    const body = { fileName: "a.txt", mimeType: "text/plain", contentBase64 };
    const { fileId } = (await test.call("POST", "/upload", body)).body;
    const path = join(config().dataDir, "files", test.workspaceId, fileId);
    return { fileId: String(fileId), path };
  };
  const modeOf = async (path: string) => (await stat(path)).mode & 0o777;
  const contentOf = async (path: string) =>
    (await readdir(path)).filter((name) => !name.startsWith("lock.db"));

  it("brings back runs, files and credentials, and only its owner can read it", async () => {
    const tool = await test.makeTool("export default (input) => input");
    const run = (await test.call("POST", `/run/${tool}`, { n: 1 })).body;
    const file = await upload("hello");
    expect(await createBackup(config(), folder)).toMatchObject({
      hasKey: true,
      hasFiles: true,
      lost: [],
      damaged: [],
    });
    for (const name of await readdir(folder, { recursive: true })) {
      const isFolder = (await stat(join(folder, name))).isDirectory();
      expect(await modeOf(join(folder, name))).toBe(isFolder ? 0o700 : 0o600);
    }
    expect(await modeOf(folder)).toBe(0o700);
    expect(await restoreBackup(restored, folder)).toMatchObject({ decrypted: 1, failed: 0 });

    const service = await startService(restored);
    try {
      const { baseUrl } = service.context.config;
      const get = (path: string) =>
        fetch(`${baseUrl}/api/v1${path}`, { headers: { authorization: `Bearer ${test.apiKey}` } });
      expect(await (await get(`/runs/${run.runId}`)).json()).toMatchObject({ output: { n: 1 } });
      expect(await (await get(`/files/${file.fileId}`)).text()).toBe("hello");
      expect(await (await get("/credentials")).json()).toMatchObject([{ name: "BACKED_UP" }]);
    } finally {
      await service.stop();
    }
  });

  it("lets files expire that are deleted while it runs", async () => {
    const files = await Promise.all(Array.from({ length: 200 }, (_, n) => upload(`file ${n}`)));
    const { kysely } = test.service.context.db;
    const backup = createBackup(config(), folder);
    const copy = join(folder, "toolhost.db");
    const hasCopy = () => existsSync(copy) && statSync(copy).size > 0;
    await expect.poll(hasCopy, { interval: 1 }).toBe(true);
    // Files are copied in the order of their IDs, so the last ones are deleted before it is their turn.
    for (const { fileId, path } of files.toReversed()) {
      await kysely.updateTable("files").set({ expires_at: 1 }).where("id", "=", fileId).execute();
      await rm(path);
    }
    expect(await backup).toMatchObject({ lost: [], damaged: [] });
    await restoreBackup(restored, folder);
    const db = openSqlite(join(restored.dataDir, "toolhost.db"));
    const rows = await db.kysely.selectFrom("files").select(["id", "expires_at"]).execute();
    expect(rows.filter(({ expires_at: at }) => at === 0).length).toBeGreaterThan(0);
    await db.close();
    for (const { id, expires_at: expiresAt } of rows) {
      const path = join(restored.dataDir, "files", test.workspaceId, id);
      expect(existsSync(path) || expiresAt <= 1).toBe(true);
    }
  });

  it("reports files that the service has lost or that are damaged", async () => {
    const [lost, damaged] = [await upload("lost"), await upload("damaged")];
    await rm(lost.path);
    await writeFile(damaged.path, "damaged!");
    expect(await createBackup(config(), folder)).toMatchObject({
      lost: [lost.fileId],
      damaged: [damaged.fileId],
    });
    await restoreBackup(restored, folder);
    await rm(damaged.path);
  });

  it("does not contain a configured key, which the restore then needs", async () => {
    const ENCRYPTION_KEY = (
      await readFile(join(config().dataDir, "encryption.key"), "utf8")
    ).trim();
    expect((await createBackup({ ...config(), ENCRYPTION_KEY }, folder)).hasKey).toBe(false);
    expect(await readdir(folder)).not.toContain("encryption.key");
    await expect(restoreBackup(restored, folder)).rejects.toThrow(/needs the encryption key/);
    const wrong = { ...restored, ENCRYPTION_KEY: randomBytes(32).toString("hex") };
    await expect(restoreBackup(wrong, folder)).rejects.toThrow(/key does not decrypt the database/);
    expect(await restoreBackup({ ...restored, ENCRYPTION_KEY }, folder)).toMatchObject({
      decrypted: 1,
    });
  });

  it("is not written into the data folder", async () => {
    const { dataDir } = config();
    const link = join(scratch, "link-to-data");
    await symlink(dataDir, link);
    for (const inside of [dataDir, join(dataDir, "backups/today"), join(link, "backup")]) {
      await expect(createBackup(config(), inside)).rejects.toThrow(/is in the data folder/);
    }
    expect(existsSync(join(dataDir, "backups"))).toBe(false);
    const similar = `${dataDir}-backup`;
    await createBackup(config(), similar);
    await rm(similar, { recursive: true });
  });

  it("is not written to a folder that is not empty, or without a database", async () => {
    await mkdir(folder);
    await writeFile(join(folder, "mine.txt"), "mine");
    await expect(createBackup(config(), folder)).rejects.toThrow(/is not empty/);
    expect(await readdir(folder)).toEqual(["mine.txt"]);
    const nothing = readConfig({ DATA_DIR: join(scratch, "nothing") });
    await expect(createBackup(nothing, `${folder}-2`)).rejects.toThrow(/No database found/);
  });

  describe("that is damaged", () => {
    let sound: string;
    beforeAll(async () => {
      sound = join(scratch, "sound");
      await upload("in the sound backup");
      await createBackup(config(), sound);
    });
    beforeEach(() => cp(sound, folder, { recursive: true }));

    const editManifest = async (edit: (text: string) => string) => {
      const file = join(folder, "manifest.json");
      await writeFile(file, edit(await readFile(file, "utf8")));
    };
    /** Forgets what the manifest says of a file, so that only the check of its content can find the damage. */
    const recordChecksum = async (path: string) => {
      const { measureFile } = await import("./copy-file.ts");
      const content = await measureFile(join(folder, path));
      await editManifest((text) => {
        const manifest = JSON.parse(text);
        manifest.files[path] = content;
        return JSON.stringify(manifest);
      });
    };
    const firstFile = async () => {
      const manifest = JSON.parse(await readFile(join(folder, "manifest.json"), "utf8"));
      return Object.keys(manifest.files).find((path) => path.startsWith("files/")) ?? "";
    };
    const damageDatabase = async (change: (bytes: Buffer) => Buffer) => {
      const file = join(folder, "toolhost.db");
      await writeFile(file, change(await readFile(file)));
    };

    it.each<[string, RegExp, () => Promise<void>]>([
      ["has no manifest", /is not a complete backup/, () => rm(join(folder, "manifest.json"))],
      [
        "has a cut manifest",
        /manifest\.json is damaged/,
        () => editManifest((text) => text.slice(0, -9)),
      ],
      [
        "names a path outside of the data folder",
        /manifest\.json is damaged/,
        () => editManifest((text) => text.replace("first-run.json", "../first-run.json")),
      ],
      [
        "has a changed byte in the database",
        /toolhost\.db does not match its checksum/,
        () => damageDatabase((bytes) => bytes.fill(1, 9_000, 9_001)),
      ],
      [
        "has a damaged page in the database, and its checksum",
        /The database .* is damaged: /,
        async () => {
          await damageDatabase((bytes) => bytes.fill(0xab, 8_192, 40_960));
          await recordChecksum("toolhost.db");
        },
      ],
      [
        "has a cut database, and its checksum",
        /The database .* is damaged: /,
        async () => {
          await damageDatabase((bytes) => bytes.subarray(0, bytes.length / 2));
          await recordChecksum("toolhost.db");
        },
      ],
      ["lacks a file", /files\/.* is missing/, async () => rm(join(folder, await firstFile()))],
      [
        "lacks a file that only the database names",
        /files\/.*, which the database names, is missing/,
        async () => {
          const path = await firstFile();
          await editManifest((text) => {
            const manifest = JSON.parse(text);
            delete manifest.files[path];
            return JSON.stringify(manifest);
          });
        },
      ],
      [
        "has another key",
        /needs the key with the ID|does not decrypt/,
        async () => {
          await writeFile(join(folder, "encryption.key"), randomBytes(32).toString("hex"));
          await recordChecksum("encryption.key");
        },
      ],
      [
        "is of a newer version",
        /newer version of Toolhost, which added 9999-later/,
        async () => {
          const db = openSqlite(join(folder, "toolhost.db"));
          const row = { name: "9999-later", timestamp: "2030" };
          await db.kysely
            .insertInto("kysely_migration" as never)
            .values(row)
            .execute();
          await db.close();
          await recordChecksum("toolhost.db");
        },
      ],
    ])("is refused if it %s, and nothing is restored", async (_, message, damage) => {
      await damage();
      await expect(restoreBackup(restored, folder)).rejects.toThrow(message);
      const found = existsSync(restored.dataDir) ? await contentOf(restored.dataDir) : [];
      expect(found).toEqual([]);
    });

    it("is refused if it contains a link or a pipe instead of a file", async () => {
      const path = join(folder, await firstFile());
      await rm(path);
      execFileSync("mkfifo", [path]);
      await expect(restoreBackup(restored, folder)).rejects.toThrow(/does not match its checksum/);
      await rm(path);
      await symlink(join(sound, await firstFile()), path);
      await expect(restoreBackup(restored, folder)).rejects.toThrow(/does not match its checksum/);
    });

    it("is refused in the data folder, which a restore may empty", async () => {
      const inside = join(restored.dataDir, "backup");
      await cp(folder, inside, { recursive: true });
      await writeFile(restoreMarker(restored.dataDir), "");
      await expect(restoreBackup(restored, inside)).rejects.toThrow(/is in the data folder/);
      expect(await readdir(inside)).toContain("manifest.json");
    });

    it("leaves the lock file, which another process may be locking", async () => {
      await rm(join(folder, await firstFile()));
      await expect(restoreBackup(restored, folder)).rejects.toThrow(/is missing/);
      expect(await readdir(restored.dataDir)).toEqual(["lock.db"]);
    });

    it("is refused with another file storage", async () => {
      const s3: Config = { ...restored, FILE_STORAGE: "s3" };
      await expect(restoreBackup(s3, folder)).rejects.toThrow(/FILE_STORAGE=local/);
    });

    it("is not restored over existing data, which stays", async () => {
      await mkdir(restored.dataDir);
      await writeFile(join(restored.dataDir, "toolhost.db"), "mine");
      await expect(restoreBackup(restored, folder)).rejects.toThrow(/is not empty/);
      expect(await contentOf(restored.dataDir)).toEqual(["toolhost.db"]);
      await expect(restoreBackup(config(), folder)).rejects.toThrow(/Another Toolhost is running/);
    });

    it("is restored over the rest of an interrupted restore, on which no service starts", async () => {
      await restoreBackup(restored, folder);
      await writeFile(restoreMarker(restored.dataDir), "");
      await rm(join(restored.dataDir, "encryption.key"));
      await expect(startService(restored)).rejects.toThrow(/restore .* was interrupted/);
      await restoreBackup(restored, folder);
      const service = await startService(restored);
      await service.stop();
    });
  });
});
