import { roles, scopes } from "@toolhost/contract";
import type { Scope } from "@toolhost/contract";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { scopesOfRole } from "#core/kernel";
import { startTestService } from "#testing/service";
import type { TestService } from "#testing/service";
import { routes } from "./index.ts";

let test: TestService;
/** A key of each role, with all scopes of the role. */
let keys: Map<string, string>;
beforeAll(async () => {
  test = await startTestService();
  const workspaceId = await test.addWorkspace();
  const made = roles.map(async (role) => {
    const { apiKey } = await test.addPerson(workspaceId, role);
    return [role, apiKey] as const;
  });
  keys = new Map(await Promise.all(made));
});
afterAll(() => test.stop());

const nobodys = "01900000-0000-7000-8000-000000000000";
const concrete = (path: string) => path.replaceAll(/\{\w+\}/g, nobodys);
const isScope = (scope: string): scope is Scope => Object.hasOwn(scopes, scope);

describe("the table of routes", () => {
  it.each(routes.map((route) => [route.method.toUpperCase(), route.path, route.scope] as const))(
    "allows %s %s to the roles that have %s",
    async (method, path, scope) => {
      const refused: string[] = [];
      for (const role of roles) {
        const headers = { authorization: `Bearer ${keys.get(role) ?? ""}` };
        const answer = await test.call(method, concrete(path), undefined, headers);
        expect(answer.status).not.toBe(401);
        // An allowed role gets another error, such as not_found or invalid_request.
        const { code } = answer.body ?? {};
        const isRefused =
          code === "insufficient_scope" || (!isScope(scope) && code === "forbidden");
        if (isRefused) refused.push(role);
      }
      const expected = isScope(scope)
        ? roles.filter((role) => !scopesOfRole(role).has(scope))
        : roles.filter(() => scope !== "any");
      expect(refused).toEqual(expected);
    },
  );
});
