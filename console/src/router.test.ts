import { createMemoryHistory } from "@tanstack/react-router";
import { describe, expect, it } from "vitest";
import { pageRoots } from "../pages.ts";
import { createConsoleRouter } from "./router.tsx";

/** The search parameters of the page at an address. */
function searchOf(address: string): object {
  const router = createConsoleRouter();
  router.update({ ...router.options, history: createMemoryHistory({ initialEntries: [address] }) });
  const page = router.matchRoutes(router.latestLocation).at(-1);
  const entries = Object.entries(page?.search ?? {}).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries);
}

describe("createConsoleRouter", () => {
  it.each([
    ["/runs?status=failed&since=24h&userId=me", { status: "failed", since: "24h", userId: "me" }],
    [
      "/runs?since=2030-01-01T00:00:00Z&draft=true",
      { since: "2030-01-01T00:00:00Z", draft: "true" },
    ],
    [
      "/tools/a_bcde?tab=versions&version=3&with=2&line=7",
      { tab: "versions", version: 3, with: 2, line: 7 },
    ],
    ["/drafts/1?tab=output&as=json", { tab: "output", as: "json" }],
    ["/imports?tool=a_bcde", { tool: "a_bcde" }],
    ["/imports/1?tab=changes&tool=a_bcde", { tab: "changes", tool: "a_bcde" }],
    ["/imports/1?q=pets&tag=a%20b&state=none", { q: "pets", tag: "a b", state: "none" }],
    ["/audit?since=2026-02-28&action=run.create", { since: "2026-02-28", action: "run.create" }],
  ])("reads the search parameters of %s", (address, search) => {
    expect(searchOf(address)).toEqual(search);
  });

  it("has pages only where the service serves the console", () => {
    const roots = Object.keys(createConsoleRouter().routesByPath).map((path) => path.split("/")[1]);
    expect(pageRoots).toEqual(expect.arrayContaining(roots));
  });

  it.each([
    "/runs?status=done&via=carrier-pigeon&since=yesterday&draft=1",
    "/runs?since=constructor&status=__proto__&since=0000T",
    "/tools/a_bcde?tab=<script>&version=1e9&with=-1",
    "/drafts/1?tab=constructor&as=xml",
    "/audit?since=2026-2-3&until=%00",
    "/settings?create=everything",
    "/webhooks/1?state=lost",
    "/imports?create=everything",
    "/imports/1?tab=constructor&state=true&method=get",
    "/?show=hidden",
  ])("drops the wrong values in %s", (address) => {
    expect(searchOf(address)).toEqual({});
  });
});
