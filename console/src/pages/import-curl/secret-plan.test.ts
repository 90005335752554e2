import type { Credential } from "@toolhost/contract";
import type { Secret } from "@toolhost/tool-schema/curl";
import { describe, expect, it } from "vitest";
import {
  fittingCredentials,
  problemOf,
  proposeSources,
  savedCredential,
  takenNames,
} from "./secret-plan.ts";

const secret: Secret = {
  id: "header:authorization",
  place: "header",
  name: "authorization",
  prefix: "Bearer ",
  value: "the-secret",
  credential: "GITHUB_TOKEN",
};
const host = "api.github.com";
const credential = (name: string, hosts: string[], owner: "user" | "workspace" = "user") =>
  ({ name, hosts, owner }) as Credential;
const unknown: Secret = { ...secret, value: undefined };
const propose = (of: Secret, ...all: Credential[]) => proposeSources([of], all, host).get(of.id);

describe("proposeSources", () => {
  it("proposes a new credential with the value of the command", () => {
    expect(propose(secret)).toEqual({ kind: "new", name: "GITHUB_TOKEN", value: "the-secret" });
  });

  it.each([["GITHUB_TOKEN", "GITHUB_TOKEN_2"] as const, ["OTHER", "GITHUB_TOKEN"] as const])(
    "replaces the value of the command by no existing credential, such as %s",
    (existing, name) => {
      const source = propose(secret, credential(existing, [host]));
      expect(source).toEqual({ kind: "new", name, value: "the-secret" });
    },
  );

  it("proposes an existing credential that may be sent to the host for a placeholder", () => {
    const named = credential("GITHUB_TOKEN", ["*.github.com"]);
    expect(propose(unknown, named, credential("B", [host]))).toEqual({
      kind: "existing",
      name: "GITHUB_TOKEN",
    });
    expect(propose(unknown, credential("OTHER", [host]))).toEqual({
      kind: "existing",
      name: "OTHER",
    });
  });

  it("proposes another name if the credential of this name may not be sent to the host", () => {
    expect(propose(unknown, credential("GITHUB_TOKEN", ["other.example"]))).toEqual({
      kind: "new",
      name: "GITHUB_TOKEN_2",
      value: "",
    });
  });

  it("proposes a name of its own for each secret", () => {
    const second: Secret = { ...secret, id: "query:token", credential: "GITHUB_TOKEN_2" };
    const sources = proposeSources([secret, second], [credential("GITHUB_TOKEN", [host])], host);
    const names = [...sources.values()].map((source) => source.kind === "new" && source.name);
    expect(new Set(names).size).toBe(2);
    expect(names).not.toContain("GITHUB_TOKEN");
  });
});

describe("savedCredential", () => {
  it("finds the credential of the proposed name, or the only one for the host", () => {
    const [named, other] = [credential("GITHUB_TOKEN", [host]), credential("OTHER", [host])];
    expect(savedCredential(secret, [other, named], host)).toBe(named);
    expect(savedCredential(secret, [other], host)).toBe(other);
    expect(savedCredential(secret, [other, credential("MORE", [host])], host)).toBeUndefined();
    expect(savedCredential(secret, [credential("GITHUB_TOKEN", ["a.b"])], host)).toBeUndefined();
  });
});

describe("fittingCredentials", () => {
  it("lists a user's own credential instead of the workspace's", () => {
    const own = credential("A", [host]);
    expect(fittingCredentials([credential("A", ["x.example"], "workspace"), own], host)).toEqual([
      own,
    ]);
    expect(fittingCredentials([credential("A", [host], "workspace")], host)).toHaveLength(1);
  });
});

describe("problemOf", () => {
  it.each([
    [{ kind: "new", name: "A", value: "" } as const, undefined],
    [{ kind: "new", name: "A", value: "abc" } as const, "value"],
    [{ kind: "new", name: "1A", value: "abcd" } as const, "name"],
    [{ kind: "input" } as const, undefined],
    [{ kind: "new", name: "B", value: "abcd" } as const, "taken"],
    [{ kind: "existing", name: "B" } as const, undefined],
  ])("checks %j", (source, problem) => expect(problemOf(source, new Set("B"))).toBe(problem));

  it("refuses the name of another secret's new credential, and accepts its own", () => {
    const source = { kind: "new", name: "A", value: "abcd" } as const;
    const sources = new Map([["a", source]]);
    expect(problemOf(source, takenNames([], sources, "a"))).toBeUndefined();
    expect(problemOf(source, takenNames([], sources, "b"))).toBe("taken");
  });
});
