import { describe, expect, it } from "vitest";
import { clientAddress, createNetworks, isNetwork } from "./networks.ts";

describe("networks", () => {
  it.each(["10.0.0.0/8", "192.0.2.1", "::1", "2001:db8::/32"])("accepts %s", (text) => {
    expect(isNetwork(text)).toBe(true);
  });

  it.each(["", "10.0.0.0/33", "localhost", "10.0.0.0/8/8", "::1/129", "10.0.0.0/"])(
    "refuses %j",
    (text) => {
      expect(isNetwork(text)).toBe(false);
    },
  );
});

describe("the client's address", () => {
  const isTrusted = createNetworks(["10.0.0.0/8", "::1"]);

  it("is the peer's if the peer is not a trusted proxy, regardless of headers", () => {
    expect(clientAddress("192.0.2.7", "203.0.113.9", isTrusted)).toBe("192.0.2.7");
    expect(clientAddress("192.0.2.7", "203.0.113.9", createNetworks([]))).toBe("192.0.2.7");
  });

  it("is the last one before the trusted proxies, not one that the client itself added", () => {
    const header = "203.0.113.1, 198.51.100.4, 10.1.2.3";
    expect(clientAddress("10.0.0.1", header, isTrusted)).toBe("198.51.100.4");
    expect(clientAddress("::ffff:10.0.0.1", "198.51.100.4:5555", isTrusted)).toBe("198.51.100.4");
    expect(clientAddress("::1", "[2001:db8::5]:99", isTrusted)).toBe("2001:db8::5");
  });

  it("stops at an entry that is not an address", () => {
    expect(clientAddress("10.0.0.1", "unknown, nonsense", isTrusted)).toBe("10.0.0.1");
    expect(clientAddress("10.0.0.1", "1.2.3.4, evil, 10.9.9.9", isTrusted)).toBe("10.9.9.9");
    expect(clientAddress("10.0.0.1", null, isTrusted)).toBe("10.0.0.1");
    expect(clientAddress(null, "203.0.113.1", isTrusted)).toBeNull();
  });
});
