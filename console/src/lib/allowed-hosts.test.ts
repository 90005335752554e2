import { describe, expect, it } from "vitest";
import { deniedHosts, hostToAllow, isHostAllowed } from "./allowed-hosts.ts";

describe("hostToAllow", () => {
  it.each([
    ["https://api.example.com/v1", "api.example.com"],
    ["https://api.example.com:8443/", "api.example.com:8443"],
    ["http://10.0.0.5:8080/x", "http://10.0.0.5:8080"],
    ["file:///etc/passwd", undefined],
    ["/v1", undefined],
  ])("returns the host of %s", (address, host) => {
    expect(hostToAllow(address)).toBe(host);
  });
});

describe("isHostAllowed", () => {
  it.each([
    [["api.example.com"], "api.example.com", true],
    [["api.example.com"], "example.com", false],
    [["api.example.com:443"], "api.example.com", true],
    [["*.example.com"], "api.example.com", true],
    [["*.example.com:8443"], "api.example.com:8443", true],
    [["*.example.com"], "example.com", false],
    [["*.example.com"], "api.example.com.evil.test", false],
    [["*.example.com"], "http://api.example.com", false],
    [["http://*.example.com"], "http://api.example.com", true],
    [["http://10.0.0.5:8080"], "10.0.0.5:8080", false],
    [["api.example.com"], "api.example.com:8443", false],
    [[], "api.example.com", false],
  ])("compares %j with %s", (hosts, host, isAllowed) => {
    expect(isHostAllowed(hosts, host)).toBe(isAllowed);
  });
});

describe("deniedHosts", () => {
  it.each([
    [["api.example.com"], ["api.example.com"], []],
    [["api.example.com"], ["api.example.com", "b.example.com"], ["b.example.com"]],
    [["*.example.com"], ["b.example.com", "*.example.com"], []],
    [["b.example.com"], ["*.example.com"], ["*.example.com"]],
    [["10.0.0.5:8080"], ["http://10.0.0.5:8080"], ["http://10.0.0.5:8080"]],
    [["api.example.com"], [], []],
  ])("returns for %j which of %j are denied: %j", (allowed, hosts, denied) => {
    expect(deniedHosts(allowed, hosts)).toEqual(denied);
  });
});
