import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { changeAccounts, readAccounts } from "./accounts.ts";

let home: string;
let folder: string;
let file: string;
const environment = () => ({ XDG_CONFIG_HOME: home });

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "toolhost-accounts-"));
  folder = join(home, "toolhost");
  file = join(folder, "accounts.json");
  await mkdir(folder);
});
afterEach(() => rm(home, { recursive: true }));

const account = (clientId: string) => ({
  clientId,
  accessToken: "a",
  refreshToken: "r",
  expiresAt: 1,
  tokenEndpoint: "https://a.example/token",
  revocationEndpoint: undefined,
  resource: "https://a.example/api/v1",
});

const add = (address: string) =>
  changeAccounts(environment(), ({ accounts }, save) =>
    save({ latest: address, accounts: { ...accounts, [address]: account(address) } }),
  );

const addresses = async () => Object.keys((await readAccounts(environment())).accounts);

describe("changeAccounts", () => {
  it.each(["{ half", "", "[]", '{"accounts":[]}'])(
    "moves a damaged file aside: %j",
    async (text) => {
      await writeFile(file, text);
      expect(await readAccounts(environment())).toEqual({
        latest: undefined,
        accounts: {},
        damagedFile: file,
      });
      await add("https://a.example");
      expect(await addresses()).toEqual(["https://a.example"]);
      const copy = (await readdir(folder)).find((name) => name.includes("damaged")) ?? "";
      expect(await readFile(join(folder, copy), "utf8")).toBe(text);
      expect((await stat(file)).mode & 0o777).toBe(0o600);
    },
  );

  it("keeps the sign-ins that are valid", async () => {
    const accounts = { "https://b.example": account("b"), "https://c.example": { clientId: 1 } };
    await writeFile(file, JSON.stringify({ accounts }));
    await add("https://a.example");
    expect(await addresses()).toEqual(["https://b.example", "https://a.example"]);
    expect((await readdir(folder)).filter((name) => name.includes("damaged"))).toHaveLength(1);
  });

  it("loses no sign-in of changes at the same time", async () => {
    const all = Array.from({ length: 10 }, (_, at) => `https://${at}.example`);
    await Promise.all(all.map(add));
    expect((await addresses()).toSorted()).toEqual(all);
    expect(await readdir(folder)).toEqual(["accounts.json"]);
  });

  it("says where it cannot store them", async () => {
    await rm(folder, { recursive: true });
    await writeFile(folder, "");
    await expect(add("https://a.example")).rejects.toThrow(
      `cannot be stored in ${folder} (EEXIST)`,
    );
  });
});
