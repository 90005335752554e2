import { describe, expect, it } from "vitest";
import { isWebAddress, redirectProblem } from "./redirect-rules.ts";

const schemes = ["cursor", "vscode"];

describe("redirectProblem", () => {
  it.each([
    "https://client.example/cb",
    "https://client.example",
    "HTTPS://Client.example/cb?x=1",
    "https://claude.ai/api/mcp/auth_callback",
    "https://vscode.dev/redirect",
    "http://127.0.0.1/cb",
    "http://127.0.0.1:33418/",
    "http://localhost:80/cb",
    "http://[::1]:1234/cb",
    "com.example.app:/cb",
    "com.example.app://oauth/cb?provider=x",
    "net.a-b.c9:/",
    "cursor://anysphere.cursor-mcp/oauth/callback",
    "vscode://publisher.extension/cb",
  ])("allows %s", (address) => {
    expect(redirectProblem(address, schemes)).toBeUndefined();
  });

  it.each([
    "ms-msdt:/id PCWDiagnostic",
    "ms-msdt:/id",
    "MS-MSDT:/id",
    "ms-settings:network",
    "ms-settings.display:/x",
    "ms-word:ofe|u|https://a.example/x",
    "search-ms:query=x",
    "search:query=x",
    "tel:+491234",
    "sms:+491234",
    "mailto:a@b.example",
    "facetime:a@b.example",
    "jar:https://a.example!/",
    "javascript:alert(1)",
    "JaVaScRiPt://client.example/%0aalert(1)",
    "data:text/html,x",
    "file:///etc/passwd",
    "blob:https://client.example/x",
    "filesystem:https://client.example/x",
    "vbscript:x",
    "about:blank",
    "view-source:https://client.example",
    "intent://client.example#Intent;end",
    "intent://client.example/",
    "ws://client.example",
    "ftp://client.example",
    "ldap://client.example",
    "ssh://client.example",
    "smb://client.example/x",
    "steam://run/1",
    "goose://extension?cmd=x",
    "myapp://cb",
    "x-apple.systempreferences:com.apple.preference",
    "x-apple.systempreferences:/x",
    "com.apple:/x",
    "com.microsoft:/x",
    "com.apple.systempreferences:/x",
    "com.microsoft.edge:/x",
    "microsoft.windows.camera:/x",
    "windows.settings:/x",
    "android.resource://x/y",
    "z39.50:/x",
    "soap.beep://client.example",
    ".example.app:/cb",
    "com..app:/cb",
    "com.-a:/cb",
    "com.example.:/cb",
    "com.example.app:cb",
    "com.example.app:alert(1)",
    "client.example:443/cb",
    "localhost:3000/cb",
    "vscode:mcp/install?%7B%7D",
    "vscode:/x",
    "cursor://anysphere.cursor-deeplink/mcp/install?name=x&config=e30=",
    "cursor2://x",
    "http://client.example/cb",
    "http://localhost.evil.example/cb",
    "http://127.0.0.1.evil.example/cb",
    "http://127.0.0.1@evil.example/cb",
    "http://127.1/cb",
    "http://0x7f.0.0.1/cb",
    "http://2130706433/cb",
    "http://[::ffff:127.0.0.1]/cb",
    "http://0.0.0.0/cb",
    "http:127.0.0.1/cb",
    "https:client.example/cb",
    "https:/client.example/cb",
    "https:///client.example/cb",
    String.raw`https:\\client.example\cb`,
    String.raw`https://client.example\@evil.example/cb`,
    "https://evil.example%2f@client.example/cb",
    "https://user@client.example/cb",
    "https://@client.example/cb",
    "https://cli%65nt.example/cb",
    "https://client。example/cb",
    "https://client.example/cb#x",
    "https://client.example/cb#",
    " https://client.example/cb",
    "https://client.example/cb ",
    "https://client.example/\tcb",
    "java\nscript:alert(1)",
    "\u0000javascript:alert(1)",
    'https://client.example/"cb',
    "//client.example/cb",
    "/cb",
    "",
    7,
    null,
  ])("refuses %j", (address) => {
    expect(redirectProblem(address, schemes)).toEqual(expect.any(String));
  });
});

it("rejects an address of more than 2,000 characters", () => {
  expect(redirectProblem(`https://client.example/${"x".repeat(2_000)}`, [])).toMatch(/2000/);
});

describe("isWebAddress", () => {
  it("allows only https", () => {
    expect(isWebAddress("https://client.example/about#us")).toBe(true);
    const others = [
      "http://localhost/x",
      "com.example.app:/x",
      "javascript:alert(1)",
      7,
      undefined,
    ];
    for (const address of [...others, "https://user@client.example/"]) {
      expect(isWebAddress(address)).toBe(false);
    }
  });
});
