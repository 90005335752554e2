import { afterAll, beforeAll, expect, test } from "vitest";
import { cloneProject, codeOf, createOrigin, markOf } from "./src/git-project.ts";
import type { Clone } from "./src/git-project.ts";
import { startProxy } from "./src/intercepting-proxy.ts";
import { expectStatus, startServer } from "./src/server.ts";
import type { Server } from "./src/server.ts";

let server: Server;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server?.stop());

/** A version, and who made it. */
type Version = { mark: string; by: "git" | "console" | "rollback"; before: string | undefined };

const steps = Number(process.env["RANDOM_STEPS"] ?? 40);

function createRandom(seed: number) {
  let state = seed;
  return (max: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * max);
  };
}

/** The marks that a tool had in the history of what is checked out, oldest first, and in the working folder. */
async function lineageOf(clone: Clone, tool: string): Promise<string[]> {
  const path = `tools/${tool}/tool.ts`;
  const commits = (await clone.git("log", "--reverse", "--format=%H", "--", path))
    .split("\n")
    .filter(Boolean);
  const marks: string[] = [];
  for (const commit of commits) {
    const code = await clone.git("show", `${commit}:${path}`).catch(() => "");
    const mark = markOf(code);
    if (mark !== undefined) marks.push(mark);
  }
  const here = await clone.read(tool);
  return here === undefined ? marks : [...marks, here];
}

const seeds = (process.env["RANDOM_SEEDS"] ?? "1,2,3").split(",").map(Number);

test.each(seeds)(
  "loses no edit in a random order of pushes, edits and rollbacks (seed %i)",
  { tags: ["nightly"], timeout: 600_000 },
  async (seed) => {
    const random = createRandom(seed);
    const pick = <T>(items: readonly T[]): T => items[random(items.length)] as T;
    const origin = await createOrigin(server);
    const tool = `random-${seed}`;
    const developers = [await cloneProject(server, origin)];
    developers.push(await cloneProject(server, origin));
    const ci = await cloneProject(server, origin);
    const [ada] = developers as [Clone, Clone];
    const isFromCi = random(2) === 0;
    await ada.write(tool, "m0");
    if (!isFromCi) await ada.json(["push"]);
    await ada.commit({ withLock: !isFromCi });
    const job = async (env: Record<string, string> = {}) => {
      await ci.git("fetch", "--quiet", "origin");
      await ci.git("checkout", "--quiet", "--force", "--detach", "origin/main");
      await ci.git("clean", "--force", "-dx", "--quiet");
      return ci.run(["push", "--delete"], { env });
    };
    await job();
    const listed = expectStatus(200, await server.call("GET", "/tools?limit=200")).body as {
      name: string;
      title: string;
    }[];
    const name = listed.find(({ title }) => title === tool)?.name ?? "";
    const live = async () => {
      const { body } = expectStatus(200, await server.call("GET", `/tools/${name}`));
      return { version: body.version as number, mark: markOf(body.source.code as string) ?? "" };
    };
    const versions: Version[] = [{ mark: "m0", by: "git", before: undefined }];
    const log: string[] = [];
    let counter = 0;
    const next = () => `m${++counter}`;
    /** Records the versions that a push made, and checks that it overwrote nothing that its author did not know. */
    const check = async (clone: Clone, who: string) => {
      const { version, mark } = await live();
      if (version === versions.length) return;
      expect(version, log.join("\n")).toBe(versions.length + 1);
      const over = versions.at(-1) as Version;
      const known = await lineageOf(clone, tool);
      const state = `seed ${seed}: ${who} published ${mark} over ${JSON.stringify(over)}, knowing ${known.join(" ")}\n${log.join("\n")}`;
      if (over.by === "console") expect(known, state).toContain(over.mark);
      if (over.by === "rollback" && over.before !== undefined) {
        const undone = known.indexOf(over.before);
        if (undone !== -1) expect(known.lastIndexOf(over.mark), state).toBeGreaterThan(undone);
      }
      versions.push({ mark, by: "git", before: over.mark });
    };
    const actions: Record<string, () => Promise<unknown>> = {
      edit: async () => {
        const { version, mark: before } = await live();
        const mark = random(4) === 0 ? pick(versions).mark : next();
        const source = { language: "typescript", code: codeOf(mark) };
        expectStatus(200, await server.call("PATCH", `/tools/${name}`, { source }));
        expect(version).toBe(versions.length);
        const isOld = versions.some((one) => one.mark === mark);
        if (mark === before) versions.push({ ...(versions.at(-1) as Version) });
        else versions.push({ mark, by: isOld ? "rollback" : "console", before });
        return mark;
      },
      rollback: async () => {
        const { mark: before } = await live();
        const to = random(versions.length) + 1;
        expectStatus(200, await server.call("POST", `/tools/${name}/versions/${to}/restore`));
        const mark = versions[to - 1]?.mark ?? "";
        if (mark !== before) versions.push({ mark, by: "rollback", before });
        else versions.push({ ...(versions.at(-1) as Version) });
        return `to ${mark}`;
      },
      job: async () => {
        const { code } = await job();
        await check(ci, "ci");
        return code;
      },
      killedJob: async () => {
        const isAfter = random(2) === 0;
        const isWrite = ({ method }: { method?: string | undefined }) => method === "PATCH";
        const proxy = await startProxy(server.baseUrl, {
          before: (request) => {
            if (isWrite(request) && !isAfter) throw new Error("The request is lost.");
          },
          after: (request) => {
            if (isWrite(request) && isAfter) throw new Error("The response is lost.");
          },
        });
        await job({ TOOLHOST_URL: proxy.url });
        await proxy.close();
        await check(ci, "killed ci");
        return isAfter ? "after" : "before";
      },
    };
    for (const [at, clone] of developers.entries()) {
      const who = ["ada", "ben"][at] ?? "";
      const withRemote = async (work: () => Promise<unknown>) => {
        // A developer whose branch is behind has to merge first.
        try {
          return await work();
        } catch (error) {
          await clone.git("merge", "--abort").catch(() => {});
          await clone.git("reset", "--quiet", "--hard", "origin/main");
          return `reset: ${String(error).slice(0, 80)}`;
        }
      };
      Object.assign(actions, {
        [`${who} commits`]: () =>
          withRemote(async () => {
            await clone.update();
            const mark = next();
            await clone.write(tool, mark);
            await clone.commit({ withLock: false });
            return mark;
          }),
        [`${who} reverts`]: () =>
          withRemote(async () => {
            await clone.update();
            const mark = pick(await lineageOf(clone, tool));
            await clone.write(tool, mark);
            await clone.commit({ withLock: false });
            return mark;
          }),
        [`${who} pushes`]: () =>
          withRemote(async () => {
            if (random(2) === 0) await clone.update();
            const mark = next();
            await clone.write(tool, mark);
            const { code } = await clone.run(["push", tool]);
            await check(clone, who);
            if (code === 0 && random(3) > 0) await clone.commit({ withLock: random(2) === 0 });
            else await clone.git("checkout", "--quiet", "--", ".");
            return `${mark} ${code}`;
          }),
        [`${who} decides for Git`]: () =>
          withRemote(async () => {
            await clone.update();
            const { code } = await clone.run(["push", tool, "--force"]);
            const { version, mark } = await live();
            if (version > versions.length) {
              versions.push({ mark, by: "git", before: versions.at(-1)?.mark });
            }
            await clone.commit({ withLock: random(2) === 0 });
            return code;
          }),
        [`${who} decides for the server`]: () =>
          withRemote(async () => {
            await clone.update();
            const { code } = await clone.run(["pull", tool, "--force"]);
            await clone.commit({ withLock: random(2) === 0 });
            return code;
          }),
        [`${who} pulls`]: () =>
          withRemote(async () => {
            await clone.update();
            const { code } = await clone.run(["pull"]);
            if (code === 0) await clone.commit({ withLock: random(2) === 0 });
            return code;
          }),
      });
    }
    for (let step = 0; step < steps; step++) {
      const action = pick(Object.keys(actions));
      log.push(`${step} ${action}: ${String(await actions[action]?.())} -> ${(await live()).mark}`);
    }
    // A person decides once, and then CI continues on its own.
    await ada.git("fetch", "--quiet", "origin");
    await ada.git("reset", "--quiet", "--hard", "origin/main");
    await ada.write(tool, "decided");
    await ada.json(["push", tool, "--force"]);
    await ada.commit();
    for (const mark of ["last", "m0", "end"]) {
      await ada.write(tool, mark);
      await ada.commit({ withLock: false });
      const { code, stderr } = await job();
      expect(code, `${stderr}\n${log.join("\n")}`).toBe(0);
      expect((await live()).mark).toBe(mark);
    }
  },
);
