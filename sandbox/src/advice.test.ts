import { expect, test } from "vitest";
import { adviceFor, problemOf } from "./advice.ts";
import type { Machine } from "./machine.ts";

const MACHINE: Machine = {
  workerd: "/workerd",
  libraries: [],
  programs: { bwrap: "/b", prlimit: "/p", setpriv: "/s", unshare: "/u" },
  isRoot: false,
  inheritedDescriptors: [],
};

const without = (...missing: (keyof Machine["programs"])[]): Machine => ({
  ...MACHINE,
  programs: {
    ...MACHINE.programs,
    ...Object.fromEntries(missing.map((name) => [name, undefined])),
  },
});

test.each([
  ["bwrap", "bwrap", "apt-get install bubblewrap"],
  ["bwrap", "prlimit", "apt-get install util-linux"],
  ["namespaces", "unshare", "apt-get install util-linux"],
  ["process", "setpriv", "apt-get install util-linux"],
  ["process", "prlimit", "Install prlimit: "],
] as const)("names the package to install for %s without %s", (layer, missing, words) => {
  const attempts = [{ layer, problem: `The program ${missing} is not installed` }];
  expect(adviceFor(without(missing), attempts)).toContain(words);
});

test("names the kernel setting or the container options that allow namespaces", () => {
  const problem = "bwrap: No permissions to create new namespace";
  const advice = adviceFor(MACHINE, [{ layer: "bwrap", problem }]);
  expect(advice).toMatch(/sysctl -w|--security-opt/);
});

test("gives advice that fits several layers once", () => {
  const problem = "No permissions to create new namespace";
  const first = adviceFor(MACHINE, [{ layer: "bwrap", problem }]);
  const both = adviceFor(MACHINE, [
    { layer: "bwrap", problem },
    { layer: "namespaces", problem },
  ]);
  expect(both).toBe(first);
});

test("returns the last error of each layer", () => {
  const attempts = [
    { layer: "bwrap" as const, problem: "one" },
    { layer: "namespaces" as const, problem: "two" },
  ];
  expect(problemOf(attempts)).toBe("bwrap: one; namespaces: two");
});
