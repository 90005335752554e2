import { networkInterfaces } from "node:os";
import { describe, expect, test } from "vitest";
import { parseDeclaredHost, parsePrivateHost, undeclared } from "./declared-hosts.ts";
import { resolveAddresses, createEgressNetwork } from "./egress-network.ts";
import { kindOfAddress } from "./public-addresses.ts";
import { parseTarget } from "./target.ts";

function target(address: string) {
  const parsed = parseTarget(address);
  if (parsed === undefined) throw new Error(`${address} is no address`);
  return parsed;
}

describe("parseTarget", () => {
  test.each([
    ["https://API.Example.com/a?b#c", "api.example.com", 443, "/a?b"],
    ["https://api.example.com.:8443/", "api.example.com", 8443, "/"],
    ["http://127.1/", "127.0.0.1", 80, "/"],
    ["http://2130706433/", "127.0.0.1", 80, "/"],
    ["http://0x7f.1/", "127.0.0.1", 80, "/"],
    ["http://0177.0.0.1/", "127.0.0.1", 80, "/"],
    ["http://127.0.0.1./", "127.0.0.1", 80, "/"],
    ["http://①②⑦.⓪.⓪.①/", "127.0.0.1", 80, "/"],
    ["http://%31%32%37.0.0.1/", "127.0.0.1", 80, "/"],
    ["http://[::ffff:127.0.0.1]/", "::ffff:7f00:1", 80, "/"],
    ["http://[0:0:0:0:0:0:0:1]/", "::1", 80, "/"],
    ["https://ａｐｉ.example.com/", "api.example.com", 443, "/"],
    ["https://аpi.example.com/", "xn--pi-6kc.example.com", 443, "/"],
    ["https://api。example。com/", "api.example.com", 443, "/"],
    ["https://api.example.com\\@evil.example/", "api.example.com", 443, "/@evil.example/"],
  ])("normalizes %s", (address, host, port, path) => {
    expect(parseTarget(address)).toMatchObject({ host, port, path });
  });

  test.each([
    "https://user@api.example.com/",
    "https://user:secret@api.example.com/",
    "https://api.example.com@127.0.0.1/",
    "ftp://api.example.com/",
    "file:///etc/passwd",
    "//api.example.com/",
    "/path",
    "*",
    "api.example.com:443",
    "http://",
    "http://a..example/",
    "http://.example/",
    "http://api.example.com../",
    "http://a b/",
    "http://[::1%25lo]/",
    "http://1.2.3.4.5/",
    "http://256.1.1.1/",
    "http://a.example:99999/",
    `http://${"a".repeat(64)}.example/`,
    `http://${"a.".repeat(127)}example/`,
  ])("rejects %s", (address) => {
    expect(parseTarget(address)).toBeUndefined();
  });
});

describe("undeclared", () => {
  test.each([
    ["api.example.com", "https://api.example.com/"],
    ["api.example.com", "https://api.example.com.:443/"],
    ["api.example.com:8443", "https://api.example.com:8443/"],
    ["api.example.com:443", "https://api.example.com/"],
    ["*.example.com", "https://a.b.example.com/"],
    ["http://api.example.com", "http://api.example.com/"],
    ["http://api.example.com:8080", "http://api.example.com:8080/"],
    ["http://*.example.com:8080", "http://a.example.com:8080/"],
    ["8.8.8.8", "https://8.8.8.8/"],
    ["[2606:4700::1111]", "https://[2606:4700::1111]/"],
  ])("returns undefined for an allowed target: %s, %s", (entry, address) => {
    const declared = [parseDeclaredHost(entry)].filter((host) => host !== undefined);
    expect(undeclared(declared, target(address))).toBeUndefined();
  });

  test.each([
    ["api.example.com", "https://example.com/", "not in the tool"],
    ["api.example.com", "https://a.api.example.com/", "not in the tool"],
    ["api.example.com", "https://api.example.com.evil.example/", "not in the tool"],
    ["api.example.com", "https://xapi.example.com/", "not in the tool"],
    ["api.example.com", "http://api.example.com/", "only over HTTPS"],
    ["api.example.com", "https://api.example.com:8443/", "do not allow port 8443"],
    ["api.example.com:8443", "https://api.example.com/", "do not allow port 443"],
    ["http://api.example.com", "https://api.example.com/", "only over plain HTTP"],
    ["http://api.example.com:8080", "http://api.example.com/", "do not allow port 80"],
    ["*.example.com", "https://example.com/", "not in the tool"],
    ["*.example.com", "https://aexample.com/", "not in the tool"],
    ["*.0.0.1", "http://127.0.0.1/", "not in the tool"],
    ["127.1", "https://127.0.0.2/", "not in the tool"],
    ["*", "https://api.example.com/", "not in the tool"],
    ["*.*.com", "https://a.b.com/", "not in the tool"],
    ["https://api.example.com", "https://api.example.com/", "not in the tool"],
    ["user@api.example.com", "https://api.example.com/", "not in the tool"],
    ["api.example.com/path", "https://api.example.com/path", "not in the tool"],
    ["", "https://api.example.com/", "not in the tool"],
  ])("returns the reason for a target that is not allowed: %s, %s", (entry, address, reason) => {
    const declared = [parseDeclaredHost(entry)].filter((host) => host !== undefined);
    expect(undeclared(declared, target(address))).toContain(reason);
  });
});

describe("parsePrivateHost", () => {
  test.each([
    ["intranet", { host: "intranet", port: undefined }],
    ["Intranet.Example.com:443", { host: "intranet.example.com", port: 443 }],
    ["10.0.0.5", { host: "10.0.0.5", port: undefined }],
    ["10.0.0.5:8080", { host: "10.0.0.5", port: 8080 }],
    ["[::1]:80", { host: "::1", port: 80 }],
    ["[::1]", { host: "::1", port: undefined }],
    ["fd00::5", { host: "fd00::5", port: undefined }],
  ])("parses %s", (entry, host) => {
    expect(parsePrivateHost(entry)).toEqual(host);
  });

  test.each(["", "a:b", "a:99999", "http://a", "a/b", "user@a", "*.a", "a b", "[::1"])(
    "rejects %j",
    (entry) => {
      expect(parsePrivateHost(entry)).toBeUndefined();
    },
  );
});

const own = Object.values(networkInterfaces()).flatMap((all) =>
  (all ?? []).map(({ address }) => address),
);

describe("kindOfAddress", () => {
  test.each([
    "1.1.1.1",
    "8.8.8.8",
    "100.63.255.255",
    "172.32.0.1",
    "192.1.0.1",
    "223.255.255.255",
    "2606:4700::1111",
    "2a00:1450::1",
  ])("returns undefined for %s", (address) => {
    expect(kindOfAddress(address)).toBeUndefined();
  });

  test.each([
    ...[
      "127.0.0.1",
      "127.255.255.254",
      "0.0.0.0",
      "::1",
      "::",
      "::ffff:127.0.0.1",
      "::ffff:0.0.0.0",
      ...own,
    ].map((address) => [address, "own"]),
    ...[
      "10.0.0.1",
      "172.16.0.1",
      "172.31.255.255",
      "192.168.1.1",
      "100.64.0.1",
      "100.127.255.255",
      "100.100.100.200",
    ].map((address) => [address, "private"]),
    ...["fc00::1", "fd00:ec2::254", "fec0::1", "::ffff:10.0.0.1"].map((address) => [
      address,
      "private",
    ]),
    ...[
      "169.254.169.254",
      "169.254.0.1",
      "168.63.129.16",
      "fe80::1",
      "febf::1",
      "::ffff:169.254.169.254",
    ].map((address) => [address, "link-local"]),
    ...[
      "0.1.2.3",
      "192.0.0.8",
      "192.0.2.1",
      "192.88.99.1",
      "198.18.0.1",
      "198.19.255.255",
      "198.51.100.1",
    ].map((address) => [address, "reserved"]),
    ...["203.0.113.1", "224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255"].map(
      (address) => [address, "reserved"],
    ),
    // Translated, mapped and tunneled addresses, and invalid ones.
    ...[
      "64:ff9b::7f00:1",
      "64:ff9b::808:808",
      "64:ff9b:1::1",
      "2002:7f00:1::",
      "2001::1",
      "2001:0:808:808::",
    ].map((address) => [address, "reserved"]),
    ...[
      "::ffff:8.8.8.8",
      "::7f00:1",
      "::8.8.8.8",
      "::ffff:0:127.0.0.1",
      "100::1",
      "2001:db8::1",
      "3fff::1",
    ].map((address) => [address, "reserved"]),
    ...["ff02::1", "5f00::1", "4000::1", "fe00::1", "fe80::1%lo", "localhost", "", "127.1"].map(
      (address) => [address, "reserved"],
    ),
  ])("classifies %s as %s", (address, kind) => {
    expect(kindOfAddress(address)).toBe(kind);
  });
});

describe("a host name", () => {
  const answers: Record<string, string[]> = {
    "public.example": ["1.1.1.1", "2606:4700::1111"],
    "private.example": ["10.0.0.5"],
    "mixed.example": ["1.1.1.1", "10.0.0.5"],
    "metadata.example": ["169.254.169.254"],
    "self.example": ["127.0.0.1"],
    "mapped.example": ["::ffff:10.0.0.5"],
    "odd.example": ["not an address"],
    "none.example": [],
  };
  const network = createEgressNetwork({
    ownPort: 3000,
    lookup: async (host) => answers[host] ?? [],
  });
  const ask = (address: string, opened: string[] = []) => {
    const hosts = opened.map(parsePrivateHost).filter((host) => host !== undefined);
    return resolveAddresses(network, target(address), hosts);
  };

  test("returns the public addresses of a name", async () => {
    expect(await ask("https://public.example/")).toEqual(["1.1.1.1", "2606:4700::1111"]);
    expect(await ask("https://1.1.1.1/")).toEqual(["1.1.1.1"]);
  });

  test.each([
    ["https://private.example/", "a private address. The operator of this service can allow the"],
    ["https://mixed.example/", "it resolves to a private address"],
    ["https://metadata.example/", "it resolves to a link-local address"],
    ["https://self.example/", "it resolves to an address of this machine"],
    ["https://mapped.example/", "it resolves to a private address"],
    ["https://odd.example/", "it resolves to an address that is not public"],
    ["https://10.0.0.5/", "it is a private address"],
    ["http://localhost:5432/", "could not be resolved. Check its spelling"],
    ["https://none.example/", "could not be resolved"],
  ])("denies %s, because one of its addresses is not public", async (address, reason) => {
    await expect(ask(address)).rejects.toThrow(reason);
  });

  test("does not reveal the addresses of a denied name", async () => {
    await expect(ask("https://private.example/")).rejects.not.toThrow(/\d+\.\d+/);
  });

  test("allows a private host on the port that the operator allowed", async () => {
    expect(await ask("https://private.example/", ["private.example"])).toEqual(["10.0.0.5"]);
    expect(await ask("https://private.example/", ["private.example:443"])).toEqual(["10.0.0.5"]);
    expect(await ask("https://10.0.0.5:8443/", ["10.0.0.5"])).toEqual(["10.0.0.5"]);
    await expect(ask("https://private.example/", ["private.example:80"])).rejects.toThrow(
      "private",
    );
    await expect(ask("https://private.example/", ["10.0.0.5"])).rejects.toThrow("private");
    await expect(ask("https://10.0.0.6/", ["10.0.0.5"])).rejects.toThrow("private");
  });

  test("denies the metadata service at an allowed name, and allows it only by its address", async () => {
    await expect(ask("http://metadata.example/", ["metadata.example"])).rejects.toThrow(
      "link-local",
    );
    expect(await ask("http://169.254.169.254/", ["169.254.169.254"])).toEqual(["169.254.169.254"]);
  });

  test("allows the service itself only if its port is allowed, too", async () => {
    expect(await ask("http://127.0.0.1:4000/", ["127.0.0.1"])).toEqual(["127.0.0.1"]);
    expect(await ask("http://self.example:4000/", ["self.example"])).toEqual(["127.0.0.1"]);
    await expect(ask("http://127.0.0.1:3000/", ["127.0.0.1"])).rejects.toThrow("this machine");
    await expect(ask("http://self.example:3000/", ["self.example"])).rejects.toThrow(
      "this machine",
    );
    await expect(ask("http://0.0.0.0:3000/", ["0.0.0.0"])).rejects.toThrow("this machine");
    expect(await ask("http://127.0.0.1:3000/", ["127.0.0.1:3000"])).toEqual(["127.0.0.1"]);
  });
});
