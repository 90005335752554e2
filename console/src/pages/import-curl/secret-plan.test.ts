import type { Credential } from "@toolhost/contract";
import type { Secret } from "@toolhost/tool-schema/curl";
import { describe, expect, it } from "vitest";
import { fittingCredentials, problemOf, proposeSource } from "./secret-plan.ts";

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
const propose = (...all: Credential[]) => proposeSource(secret, { all, host, isOnly: true });

describe("proposeSource", () => {
  it("proposes a new credential with the value of the command", () => {
    expect(propose()).toEqual({ kind: "new", name: "GITHUB_TOKEN", value: "the-secret" });
  });

  it("prefers an existing credential that may be sent to the host", () => {
    expect(propose(credential("GITHUB_TOKEN", ["*.github.com"]), credential("B", [host]))).toEqual({
      kind: "existing",
      name: "GITHUB_TOKEN",
    });
    expect(propose(credential("OTHER", [host]))).toEqual({ kind: "existing", name: "OTHER" });
  });

  it("proposes another name if the credential of this name may not be sent to the host", () => {
    expect(propose(credential("GITHUB_TOKEN", ["other.example"]))).toMatchObject({
      kind: "new",
      name: "GITHUB_TOKEN_2",
    });
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
  ])("checks %j", (source, problem) => expect(problemOf(source)).toBe(problem));
});
