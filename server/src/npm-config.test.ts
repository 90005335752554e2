import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { readNpmConfig } from "./npm-config.ts";

const home = mkdtempSync(join(tmpdir(), "npm-config-"));
afterAll(() => rmSync(home, { recursive: true }));

const none = { npm_config_globalconfig: join(home, "none") };

function withFile(lines: readonly string[], environment: Record<string, string> = {}) {
  writeFileSync(join(home, ".npmrc"), lines.join("\n"));
  return readNpmConfig({ ...none, HOME: home, ...environment });
}

describe("the configuration of npm", () => {
  it("defaults to the public registry", () => {
    expect(readNpmConfig(none)).toEqual({
      registry: "https://registry.npmjs.org/",
      scopes: new Map(),
      authorizations: {},
      httpProxy: "",
      httpsProxy: "",
      noProxy: "",
      ca: undefined,
      strictSsl: true,
    });
  });

  it("is read from the user's file with its variables, and the environment overrides it", () => {
    const config = withFile(
      [
        "# a comment",
        "registry = https://npm.example.com/all",
        '@acme:registry="https://acme.example.com"',
        "//npm.example.com/all/:_authToken=${TOKEN}",
        "//acme.example.com/:username=ada",
        `//acme.example.com/:_password=${Buffer.from("secret").toString("base64")}`,
        "strict-ssl=false",
        "fund=false",
      ],
      { TOKEN: "t0ken" },
    );
    expect(config).toMatchObject({
      registry: "https://npm.example.com/all/",
      scopes: new Map([["@acme", "https://acme.example.com/"]]),
      authorizations: {
        "//npm.example.com/all/": "Bearer t0ken",
        "//acme.example.com/": `Basic ${Buffer.from("ada:secret").toString("base64")}`,
      },
      strictSsl: false,
    });
    const environment = { NPM_CONFIG_REGISTRY: "http://127.0.0.1:4873" };
    expect(withFile(["registry=https://npm.example.com"], environment).registry).toBe(
      "http://127.0.0.1:4873/",
    );
  });

  it("reads proxies from npm's settings or the usual variables", () => {
    const usual = { HTTPS_PROXY: "http://proxy:1", no_proxy: "localhost" };
    expect(withFile([], usual)).toMatchObject({
      httpsProxy: "http://proxy:1",
      noProxy: "localhost",
    });
    expect(withFile(["https-proxy=http://own:2"], usual).httpsProxy).toBe("http://own:2");
  });

  it("names an invalid registry", () => {
    expect(() => readNpmConfig({ ...none, npm_config_registry: "file:///etc" })).toThrow(
      "http or https",
    );
  });
});
