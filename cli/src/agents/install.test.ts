import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Session } from "../session.ts";
import { createTerminal } from "../terminal/terminal.ts";
import { installMcp } from "./install.ts";

const quiet = createTerminal({ isJson: true });
let scratch: string;
let cwd: string;
let service: Server;
let address: string;
let mcpUrl: string;
let serverName: string;
let elsewhere: string;
let issuerElsewhere: string;
let shown: string[];

const readText = (file: string) => readFile(file, "utf8");
const settingsFile = () => join(cwd, ".vscode/mcp.json");

function install(client: string, { isNamed = true } = {}) {
  const terminal = {
    ...quiet,
    result: (_: unknown, lines: () => readonly string[] | string) =>
      shown.push(...[lines()].flat()),
    note: (text: string) => shown.push(text),
  };
  const url = isNamed ? { url: address } : {};
  const session = {
    terminal,
    env: { HOME: scratch, XDG_CONFIG_HOME: join(scratch, ".config"), PATH: "" },
    cwd,
    flags: url,
    project: async () => ({ root: cwd, toolsDir: cwd, settings: { tools: "tools", url: address } }),
  };
  return installMcp(session as unknown as Session, {}, client);
}

beforeEach(async () => {
  shown = [];
  scratch = await realpath(await mkdtemp(join(tmpdir(), "toolhost-cli-")));
  cwd = join(scratch, "project");
  await mkdir(join(cwd, ".vscode"), { recursive: true });
  issuerElsewhere = "https://evil.example";
  service = createServer(({ url, headers: { host } }, response) => {
    if (url?.startsWith("/.well-known/") === true) {
      const path = url.replace("/.well-known/oauth-protected-resource", "");
      const isElsewhere = host?.startsWith("localhost") === true;
      const metadata = {
        resource: `http://${host}${path}`,
        authorization_servers: [isElsewhere ? issuerElsewhere : address],
        issuer: address,
        authorization_endpoint: `${address}/authorize`,
        token_endpoint: `${address}/token`,
        registration_endpoint: `${address}/register`,
      };
      response.setHeader("content-type", "application/json").end(JSON.stringify(metadata));
      return;
    }
    const common = { signIn: "browser", steps: [], link: null };
    const text = JSON.stringify({ servers: { [serverName]: { type: "http", url: mcpUrl } } });
    const snippet = { language: "json", file: null, text };
    const clients = [
      { id: "vscode", name: "VS Code", ...common, snippet },
      { id: "codex", name: "Codex", ...common, snippet: null },
    ];
    response.setHeader("content-type", "application/json").end(JSON.stringify({ mcpUrl, clients }));
  });
  await new Promise<void>((resolve) => void service.listen(0, "127.0.0.1", resolve));
  address = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  elsewhere = address.replace("127.0.0.1", "localhost");
  mcpUrl = `${address}/api/mcp`;
  serverName = "toolhost";
});
afterEach(async () => {
  service.close();
  await rm(scratch, { recursive: true });
});

describe("the backup of settings", () => {
  it("gets a new name, and follows no link", async () => {
    const outside = join(scratch, ".bashrc");
    await writeFile(outside, "mine");
    await symlink(outside, `${settingsFile()}.toolhost-backup`);
    await writeFile(settingsFile(), '{"a":1}');
    await install("vscode");
    expect(await readText(outside)).toBe("mine");
    expect(await readText(`${settingsFile()}.toolhost-backup-2`)).toBe('{"a":1}');
    expect(await readText(settingsFile())).toContain(mcpUrl);
  });
});

describe("mcp install in a cloned repository", () => {
  it("refuses a file that is a link that leads out of it", async () => {
    const outside = join(scratch, "settings.json");
    await writeFile(outside, "{}");
    await symlink(outside, settingsFile());
    await expect(install("vscode")).rejects.toThrow("leads out of the current folder");
    expect(await readText(outside)).toBe("{}");
  });

  it("refuses a folder that is a link that leads out of it", async () => {
    await rm(join(cwd, ".vscode"), { recursive: true });
    await mkdir(join(scratch, "outside"));
    await symlink(join(scratch, "outside"), join(cwd, ".vscode"));
    await expect(install("vscode")).rejects.toThrow("leads out of the current folder");
    expect(existsSync(join(scratch, "outside/mcp.json"))).toBe(false);
  });

  it("follows a link to a place in it", async () => {
    await writeFile(join(cwd, "shared.json"), "{}");
    await symlink(join(cwd, "shared.json"), settingsFile());
    await install("vscode");
    expect(await readText(join(cwd, "shared.json"))).toContain(mcpUrl);
  });
});

describe("the entry of the service", () => {
  it("replaces that of no other server", async () => {
    await writeFile(settingsFile(), '{"servers":{"github":{"url":"https://github.example"}}}');
    serverName = "github";
    await install("vscode");
    expect(JSON.parse(await readText(settingsFile()))).toEqual({
      servers: {
        github: { url: "https://github.example" },
        toolhost: { type: "http", url: mcpUrl },
      },
    });
  });

  it.each(["vscode", "codex"])("names the address that the person named (%s)", async (client) => {
    mcpUrl = `${elsewhere}/api/mcp`;
    await expect(install(client)).rejects.toThrow(
      `names ${elsewhere} for agents, not ${address}, and that address does not confirm`,
    );
    expect(existsSync(settingsFile())).toBe(false);
  });

  it("is added at another origin that has the same sign-in", async () => {
    mcpUrl = `${elsewhere}/api/mcp`;
    issuerElsewhere = address;
    await install("vscode");
    expect(await readText(settingsFile())).toContain(mcpUrl);
  });

  it("is at no other origin in plain text", async () => {
    mcpUrl = "http://agents.example/api/mcp";
    await expect(install("vscode")).rejects.toThrow("it does not use https");
  });

  it("is reported when it replaces another of the same name", async () => {
    const before = '{"servers":{"toolhost":{"url":"https://other.example"}}}';
    await writeFile(settingsFile(), before);
    await install("vscode");
    const backup = `${settingsFile()}.toolhost-backup`;
    expect(shown.slice(0, 2)).toEqual([
      `Replaced the entry "toolhost" (https://other.example) in ${settingsFile()}.`,
      `The previous settings are in ${backup}.`,
    ]);
    expect(await readText(backup)).toBe(before);
    shown = [];
    await install("vscode");
    expect(shown).toEqual([`VS Code already has Toolhost (${settingsFile()}).`]);
  });

  it("is reported as not added, with another exit code, if the client is not installed", async () => {
    expect(await install("codex")).toBe(1);
    expect(shown[0]).toBe("codex is not installed here, so nothing was added.");
  });

  it("is not that of an address that only a project names", async () => {
    await expect(install("vscode", { isNamed: false })).rejects.toThrow("comes from toolhost.json");
    expect(existsSync(settingsFile())).toBe(false);
  });
});
