import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import process from "node:process";
import { promisify } from "node:util";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { hasBrowser } from "./src/browser.ts";
import { checkAccessibility, checkPage, choose } from "./src/console.ts";
import { createCall } from "./src/http.ts";
import { draftOf, expectStatus, startServer } from "./src/server.ts";
import type { Server } from "./src/server.ts";
import { setUpConsole } from "./src/set-up-console.ts";
import { until } from "./src/until.ts";

const report = (word: string) => `export default async ({ city, days = 3 }, ctx) => {
  console.log("looking up " + city);
  if (city === "Nowhere") throw new Error("No such place");
  while (city === "Slow") {
    ctx.progress(0.5, "half way");
    await new Promise((done) => setTimeout(done, 50));
  }
  return { summary: "# " + city + "\\n\\n${word} **sunny**.\\n", days };
}`;
const reportDraft = {
  title: "Weather report",
  description: "The weather of some days, to plan trips.",
  inputSchema: {
    type: "object",
    properties: { city: { type: "string" }, days: { type: "integer", default: 3 } },
    required: ["city"],
  },
  outputSchema: { properties: [{ name: "summary", type: "string" as const, description: "" }] },
  examples: [{ input: { city: "It's Rome", days: 2 } }],
};

let server: Server;
let name: string;

const { open, openAs } = setUpConsole(async () => {
  server = await startServer();
  return server;
});
beforeAll(async () => {
  name = await server.makeTool(report("Mostly"), reportDraft);
  const changed = {
    source: { language: "typescript", code: report("Often") },
    timeoutMs: 60_000,
  };
  expectStatus(200, await server.call("PATCH", `/tools/${name}`, changed));
});

/** Signs up an invited user, and returns their session. */
async function join(role: string) {
  const { workspaceId } = server;
  const email = `${randomUUID()}@example.com`;
  const path = `/workspaces/${workspaceId}/invitations`;
  const made = expectStatus(201, await server.callAsOwner("POST", path, { email, role }));
  const invitation = String(made.body.url).split("/").at(-1);
  const answer = await fetch(`${server.baseUrl}/api/auth/sign-up/email`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: server.baseUrl },
    body: JSON.stringify({ email, name: "Guest", password: "correct horse battery", invitation }),
  });
  expect(answer.status).toBe(200);
  const cookie = answer.headers
    .getSetCookie()
    .map((line) => line.split(";", 1)[0])
    .join("; ");
  const call = createCall(
    () => server.baseUrl,
    () => ({ cookie, "x-workspace-id": workspaceId }),
  );
  return { cookie, call };
}

const title = (page: Page, words: string | RegExp) =>
  page.getByRole("heading", { level: 1, name: words });

describe.skipIf(!hasBrowser)("the tools section of the console", () => {
  test("shows the whole menu of a row next to the scrollbar and in a low window", async () => {
    for (const viewport of [
      { width: 390, height: 700 },
      { width: 1_280, height: 150 },
    ]) {
      const { page, close } = await open("/", { viewport });
      const button = page.getByRole("button", { name: "More actions for Weather report" });
      await button.waitFor();
      const visibleWidth = Number(await page.evaluate("document.documentElement.clientWidth"));
      await button.click();
      const last = page.getByRole("menuitem").last();
      await last.waitFor();
      await page.keyboard.press("End");
      await until("the last action is inside the window", 3_000, async () => {
        const box = await last.boundingBox();
        if (box === null) return false;
        return box.x + box.width <= visibleWidth && box.y + box.height <= viewport.height;
      });
      await close();
    }
  });

  test(
    "finds tools while the user types, and opens one with the keyboard",
    { tags: ["nightly"] },
    async () => {
      const { page, close } = await open();
      await page.getByRole("list", { name: "All tools" }).getByText("Weather report").waitFor();
      await checkAccessibility(page);
      await page.keyboard.press("/");
      await page.keyboard.type("plan a trip by the weather");
      const found = page.getByRole("list", { name: "Search results" });
      await found.getByRole("listitem").first().getByText("Weather report").waitFor();
      await page.getByText(/tools? found|best matches/).waitFor();
      expect(new URL(page.url()).searchParams.get("q")).toBe("plan a trip by the weather");
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("Enter");
      await title(page, "Weather report").waitFor();
      await page.goBack();
      const field = page.getByRole("searchbox", { name: "Search tools" });
      await field.fill("weather");
      await found.getByText("Weather report").waitFor();
      await page.getByText(/tools? found|best matches/).waitFor();
      await field.press("Enter");
      await title(page, "Weather report").waitFor();
      await page.goBack();
      for (const typed of ["we", "weathr"]) {
        await field.fill(typed);
        await found.getByRole("listitem").first().getByText("Weather report").waitFor();
      }
      await field.fill("xyzzy qwertz");
      await page.getByRole("heading", { name: "No matching tools" }).waitFor();
      await page.getByRole("link", { name: "Search catalog" }).click();
      await page.getByRole("heading", { name: "No matching tools" }).waitFor();
      await close();
    },
  );

  test(
    "opens tools and pages from the command palette on any page",
    { tags: ["nightly"] },
    async () => {
      const { page, close } = await open("/members");
      await page.getByRole("button", { name: "Go to" }).waitFor();
      await page.keyboard.press("Control+k");
      const field = page.getByRole("searchbox", { name: "Go to a page or tool" });
      await field.waitFor();
      await checkAccessibility(page);
      await field.fill("weather");
      await page.getByRole("menuitem", { name: "Weather report" }).waitFor();
      await page.keyboard.press("Enter");
      await title(page, "Weather report").waitFor();
      await page.keyboard.press("Control+k");
      await field.fill("invite");
      await page.getByRole("menuitem", { name: "Members" }).waitFor();
      await page.keyboard.press("Enter");
      await title(page, "Members").waitFor();
      expect(await field.count()).toBe(0);
      await close();
    },
  );

  test("runs a tool from its page, and again from the page of a run", async () => {
    const { page, close } = await open(`/tools/${name}?input={"city":"Oslo"}`);
    expect(await page.getByLabel("city").inputValue()).toBe("Oslo");
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await page.locator("strong", { hasText: "sunny" }).waitFor();
    await page.getByText(/^Took \d+ ms\. No network requests\.$/).waitFor();
    await page.getByRole("button", { name: "Show log" }).click();
    await page.getByText("looking up Oslo").waitFor();
    await page.getByRole("button", { name: "Copy JSON" }).click();
    await page.getByText("Copied", { exact: true }).waitFor();
    const copied = String(await page.evaluate("navigator.clipboard.readText()"));
    expect(JSON.parse(copied)).toMatchObject({ days: 3 });
    await page.getByRole("link", { name: "Open run" }).click();
    await title(page, "Run of Weather report").waitFor();
    expect(page.context().pages()).toHaveLength(1);
    await page.goBack();
    await page.getByRole("tab", { name: "Runs" }).click();
    const runs = page.getByRole("table", { name: "Runs of Weather report" });
    await runs.getByRole("link").first().click();
    await title(page, "Run of Weather report").waitFor();
    await page.getByText("looking up Oslo").waitFor();
    expect(await page.getByText("No network requests").isVisible()).toBe(true);
    await checkAccessibility(page);
    await page.getByRole("link", { name: "Run again" }).click();
    await title(page, "Weather report").waitFor();
    expect(await page.getByLabel("city").inputValue()).toBe("Oslo");
    await page.getByRole("button", { name: "Use example city: It's Rome" }).click();
    expect(await page.getByLabel("city").inputValue()).toBe("It's Rome");
    await page.getByRole("button", { name: "Edit as JSON" }).click();
    const dialog = page.getByRole("dialog", { name: "Input as JSON" });
    const json = dialog.getByLabel("JSON", { exact: true });
    expect(JSON.parse(await json.inputValue())).toEqual({ city: "It's Rome", days: 2 });
    await json.fill('{"city": ');
    await dialog.getByRole("button", { name: "Fill in form" }).click();
    await dialog.getByText("Enter a JSON object").waitFor();
    await json.fill('{"city": "Pisa", "days": 3}');
    await dialog.getByRole("button", { name: "Fill in form" }).click();
    await dialog.waitFor({ state: "detached" });
    expect(await page.getByLabel("city").inputValue()).toBe("Pisa");
    await page.getByLabel("city").fill("");
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await page.getByText("1 field needs your attention.").waitFor();
    await close();
  });

  test(
    "cancels a run right after its start, and runs a tool once although the connection is lost",
    { tags: ["nightly"] },
    async () => {
      const { page, close } = await open(`/tools/${name}?input={"city":"Slow"}`);
      for (const label of ["Run", "Run again"]) {
        await page.getByRole("button", { name: label, exact: true }).click();
        await page.getByRole("button", { name: "Cancel run", exact: true }).click();
        await page.getByText("Cancelled", { exact: true }).first().waitFor();
      }
      await page.getByLabel("city").fill("Lost and found");
      await page.getByRole("tab", { name: "Documentation" }).click();
      await page.getByRole("heading", { name: "Inputs" }).waitFor();
      await page.getByRole("tab", { name: "Run", exact: true }).click();
      await page.getByText("Cancelled", { exact: true }).first().waitFor();
      expect(await page.getByLabel("city").inputValue()).toBe("Lost and found");
      await page.reload();
      await page.getByText("Your previous input was restored.").waitFor();
      expect(await page.getByLabel("city").inputValue()).toBe("Lost and found");
      await page.context().setOffline(true);
      await page.getByRole("tab", { name: "Sharing" }).click();
      await page.getByRole("tab", { name: "Run", exact: true }).click();
      await page.getByRole("button", { name: "Run", exact: true }).click();
      await page.getByText("The service is unreachable. Retrying").waitFor();
      await page.context().setOffline(false);
      await page.locator("strong", { hasText: "sunny" }).waitFor();
      const { body } = await server.call("GET", `/runs?toolName=${name}&limit=3`);
      const cities = body.map(({ input }: { input: { city: string } }) => input.city);
      expect(cities).toEqual(["Lost and found", "Slow", "Slow"]);
      await close();
    },
  );

  test("shows a question on the page of the tool, and after a reload on that of the run", async () => {
    const schema = {
      type: "object",
      properties: {
        city: { type: "string", title: "City", minLength: 3 },
        season: { type: "string", title: "Season", enum: ["summer", "winter"] },
        flexible: { type: "boolean", title: "Flexible", default: true },
      },
      required: ["city"],
    };
    const asking = await server.makeTool(
      `export default async (input, ctx) => {
        const schema = ${JSON.stringify(schema)};
        const first = await ctx.ask({ message: "Where to?", schema });
        const second = await ctx.ask({ message: "Book the trip?", schema: { type: "object", properties: {} } });
        return { first, second: second.action };
      }`,
      { title: "Trip planner" },
    );
    const { page, go, close } = await open(`/tools/${asking}`);
    await page.getByRole("button", { name: "Run", exact: true }).click();
    const form = page.getByRole("form", { name: "Trip planner asks" });
    await form.getByText("Where to?").waitFor();
    await form.getByText(/^Answer by \d/).waitFor();
    await form.getByText("Do not enter passwords or keys").waitFor();
    await checkAccessibility(page);
    await form.getByRole("button", { name: "Answer" }).click();
    await form
      .getByText("Required")
      .or(form.getByText(/1 problem/))
      .first()
      .waitFor();
    await go(`/tools/${asking}`);
    await page.getByText("waits for your answer").waitFor();
    await page.getByRole("link", { name: "Answer" }).click();
    await form.getByLabel("City").fill("Oslo");
    await form.getByLabel("Season").selectOption("winter");
    await checkAccessibility(page);
    await form.getByRole("button", { name: "Answer" }).click();
    await form.getByText("Book the trip?").waitFor();
    await page.reload();
    await form.getByText("Book the trip?").waitFor();
    expect(await page.getByRole("button", { name: "Cancel run" }).count()).toBe(1);
    const { cookie } = await join("builder");
    const runId = page.url().split("/").at(-1);
    const other = await openAs(cookie, `/runs/${runId}`);
    await other.page.getByText("Book the trip?").waitFor();
    await other.page.goto(`${server.baseUrl}/runs`);
    await other.page.getByText("Waiting for an answer").waitFor();
    await other.page.goBack();
    await other.page.getByText("Book the trip?").waitFor();
    expect(await other.page.getByRole("button", { name: "Decline" }).count()).toBe(0);
    await other.close();
    await form.getByRole("button", { name: "Decline" }).click();
    await page.getByText("Completed").first().waitFor();
    const ended = (await server.call("GET", `/runs/${runId}`)).body.output;
    expect(ended).toEqual({
      first: { action: "accept", content: { city: "Oslo", season: "winter", flexible: true } },
      second: "decline",
    });
    await close();
  });

  test("shows a command that runs the tool as pasted, with a newly created key", async () => {
    const { page, close } = await open(`/tools/${name}?tab=use`);
    const line = page.getByLabel("curl", { exact: true });
    expect(await line.textContent()).toContain("$TOOLHOST_API_KEY");
    await page.getByRole("button", { name: "Create API key" }).click();
    await page.getByText("The snippets below now contain the key.").waitFor();
    await page.getByRole("button", { name: "Copy" }).first().click();
    const pasted = String(await page.evaluate("navigator.clipboard.readText()"));
    const { stdout } = await promisify(execFile)("sh", ["-c", pasted]);
    expect(JSON.parse(stdout)).toMatchObject({ status: "completed", output: { days: 2 } });
    await page.reload();
    expect(await line.textContent()).toContain("$TOOLHOST_API_KEY");
    await close();
  });

  test("shows the changes between versions, and restores one", { tags: ["nightly"] }, async () => {
    const { page, close } = await open(`/tools/${name}`);
    await page.getByLabel("city").fill("Bari");
    await page.getByRole("tab", { name: "Versions" }).click();
    await page.getByRole("button", { name: "View version 1" }).click();
    await choose(page, /Compare with/, "Compare with version 2 (live)");
    const code = page.getByRole("region", { name: "Changes to Code" });
    await code.getByText("1 added, 1 removed").waitFor();
    await page.getByRole("region", { name: "Changes to Run timeout (ms)" }).waitFor();
    expect(page.url()).toContain("version=1&with=2");
    await checkAccessibility(page);
    await page.getByRole("button", { name: "Restore version" }).click();
    const dialog = page.getByRole("dialog", { name: "Restore version 1?" });
    await dialog.getByRole("button", { name: "Restore version" }).click();
    await page.getByText("Restored version 1 as version 3").waitFor();
    await page.getByRole("button", { name: "View version 3" }).waitFor();
    await page.getByRole("tab", { name: "Run", exact: true }).click();
    await page.getByText("Version 3 is now live.").waitFor();
    await page.getByRole("button", { name: "Load new form" }).click();
    await page.getByText("Version 3 is now live.").waitFor({ state: "detached" });
    expect(await page.getByLabel("city").inputValue()).toBe("Bari");
    await close();
  });

  test("duplicates, edits and archives a tool", { tags: ["nightly"] }, async () => {
    const { page, go, close } = await open();
    const copy = await server.makeTool(report("Rarely"), {
      ...reportDraft,
      title: "Passing thing",
    });
    await go("/?show=mine");
    await page.getByRole("button", { name: "More actions for Passing thing" }).click();
    await page.getByRole("menuitem", { name: "Duplicate tool" }).click();
    await page.waitForURL(/\/drafts\/[\w-]+$/);
    await go("/");
    await page.getByRole("link", { name: /Copy of Passing thing/ }).waitFor();
    await go(`/tools/${copy}`);
    await page.getByRole("button", { name: "Edit tool" }).click();
    await page.waitForURL(/\/drafts\/[\w-]+$/);
    const draft = page.url();
    await go(`/tools/${copy}`);
    await page.getByRole("button", { name: "Edit tool" }).click();
    await page.waitForURL(draft);
    await go(`/tools/${copy}`);
    await page.getByRole("button", { name: "More actions for Passing thing" }).click();
    await page.getByRole("menuitem", { name: "Archive tool" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Archive tool" }).click();
    await title(page, "Tools").waitFor();
    await page.getByText("Archived Passing thing").waitFor();
    const list = page.getByRole("list", { name: "All tools" });
    await list.getByText("Weather report").waitFor();
    expect(await list.getByText("Passing thing", { exact: true }).count()).toBe(0);
    await close();
  });

  test(
    "makes a tool public, installs it in another workspace, and finds it from the wrong workspace",
    { tags: ["nightly"] },
    async () => {
      const guest = await join("builder");
      expectStatus(201, await guest.call("POST", "/workspaces", { name: "Away" }));
      const author = await open(`/tools/${name}?tab=sharing`);
      await author.page.getByText("Every workspace on this server").click();
      await author.page
        .getByRole("dialog")
        .getByRole("button", { name: "Make tool public" })
        .click();
      await author.page.getByText("Available to: Every workspace on this server").waitFor();
      // The live region still names a button for some seconds after its dialog is closed.
      await checkAccessibility(author.page, { without: ["[data-live-announcer]"] });
      await author.close();

      const { page, go, close } = await openAs(guest.cookie);
      const away = expectStatus(200, await guest.call("GET", "/me")).body.workspaces;
      const { id } = away.find((one: { name: string }) => one.name === "Away");
      await page.evaluate(`sessionStorage.setItem("toolhost-workspace", ${JSON.stringify(id)})`);
      await go("/catalog");
      const owner = (await server.callAsOwner("GET", "/me")).body;
      await page.getByText(`By ${owner.user.name} in ${owner.workspace.name}`).first().waitFor();
      await page.getByText("No network access.").first().waitFor();
      await page.getByRole("button", { name: "Install Weather report" }).click();
      await page.getByRole("link", { name: "Open Weather report" }).click();
      await title(page, "Weather report").waitFor();
      expect(await page.getByRole("tab", { name: "Source" }).count()).toBe(0);
      expect(await page.getByRole("button", { name: "Edit tool" }).count()).toBe(0);
      const update = {
        title: "Weather forecast",
        allowedHosts: ["weather.example.com"],
        credentials: [{ name: "WEATHER_KEY", hosts: ["weather.example.com"] }],
      };
      expectStatus(200, await server.call("PATCH", `/tools/${name}`, update));
      await go("/?show=installed");
      const installed = page.getByRole("list", { name: "Installed tools" });
      await installed.getByText("update available").waitFor();
      await installed.getByRole("link", { name: "Weather report", exact: true }).click();
      await page.getByRole("button", { name: "Review update" }).click();
      const review = page.getByRole("dialog");
      await review.getByText("New allowed hosts: weather.example.com").waitFor();
      await review.getByText("New for WEATHER_KEY: sent to weather.example.com").waitFor();
      await review.getByText("members can't run the tool until").waitFor();
      const hosts = review.getByRole("region", { name: "Changes to Allowed hosts" });
      await hosts.getByText("1 added, 0 removed").waitFor();
      await review.getByText("The code didn't change.").waitFor();
      await checkAccessibility(page);
      await review.getByRole("button", { name: "Accept update" }).click();
      await title(page, "Weather forecast").waitFor();
      expect(await page.getByText("Update available").count()).toBe(0);
      const before = { title: "Weather report", allowedHosts: [], credentials: [] };
      expectStatus(200, await server.call("PATCH", `/tools/${name}`, before));

      const hidden = await server.makeTool("export default async () => ({})", { title: "At home" });
      await go(`/tools/${hidden}`);
      await page.getByText("This tool is in another of your workspaces.").waitFor();
      expect(await page.getByText("It may have been archived").count()).toBe(0);
      await page
        .getByRole("main")
        .getByRole("button", { name: /^Go to / })
        .click();
      await title(page, "At home").waitFor();
      await close();
    },
  );

  test("shows a viewer everything except actions that they have no permission for", async () => {
    const viewer = await join("viewer");
    const { page, close } = await openAs(viewer.cookie, `/tools/${name}`);
    await page.getByRole("tab", { name: "Documentation", selected: true }).waitFor();
    await page.getByRole("heading", { name: "Inputs" }).waitFor();
    for (const tab of ["Run", "Versions"]) {
      expect(await page.getByRole("tab", { name: tab, exact: true }).count()).toBe(0);
    }
    await page.getByRole("link", { name: "Tools" }).click();
    await page.getByRole("list", { name: "All tools" }).waitFor();
    expect(await page.getByRole("link", { name: "Create tool" }).count()).toBe(0);
    await close();
  });
});

describe.skipIf(!hasBrowser)("the archive of the console", () => {
  test("restores a tool, whose runs are found by its title", async () => {
    const toolTitle = "Zebra stripes";
    const tool = await server.makeTool("export default () => ({});", { title: toolTitle });
    expectStatus(200, await server.call("POST", `/run/${tool}`, {}));
    const opened = await open(`/tools/${tool}`);
    const { page, go, close } = opened;
    await page.getByRole("button", { name: `More actions for ${toolTitle}` }).click();
    await page.getByRole("menuitem", { name: "Archive tool" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Archive tool" }).click();
    await page.getByText(`Archived ${toolTitle}`).waitFor();
    await go("/?show=archived");
    const list = page.getByRole("list", { name: "Archived tools" });
    await list.getByText(toolTitle).waitFor();
    await checkPage(opened, "/?show=archived");
    await page.getByRole("button", { name: `Restore ${toolTitle}` }).click();
    await page.getByText(`Restored ${toolTitle}`).waitFor();
    await page.getByRole("tab", { name: "Yours" }).click();
    await page.getByRole("list", { name: "Yours tools" }).getByText(toolTitle).waitFor();
    expectStatus(200, await server.call("POST", `/run/${tool}`, {}));
    await go("/runs?q=zebra%20stripe");
    const runs = page.getByRole("table", { name: "Runs" }).locator("tbody tr");
    await runs.first().getByRole("link", { name: toolTitle }).waitFor();
    expect(await runs.count()).toBe(2);
    await close();
  });
});

describe.skipIf(!hasBrowser)("the runs section of the console", () => {
  test(
    "shows new runs without a reload, filters them by URL, and cancels them",
    { tags: ["nightly"] },
    async () => {
      expect((await server.run(name, { city: "Nowhere" })).body.status).toBe("failed");
      const { page, close } = await open("/runs?status=failed");
      const runs = page.getByRole("table", { name: "Runs" });
      await runs.locator("tbody tr").first().waitFor();
      expect(await runs.getByText("Completed", { exact: true }).count()).toBe(0);
      await choose(page, /Status/, "Running");
      await page.getByRole("heading", { name: "No matching runs" }).waitFor();
      const path = `/run/${name}`;
      const slow = await server.call("POST", path, { city: "Slow" }, { prefer: "respond-async" });
      await runs.getByRole("link", { name: "Weather report" }).click();
      await title(page, "Run of Weather report").waitFor();
      await page.getByText("half way").waitFor();
      await page.getByText("looking up Slow").waitFor();
      await page.getByRole("button", { name: "Cancel run" }).click();
      await page.getByText("Cancelled", { exact: true }).first().waitFor();
      await page.getByRole("button", { name: "Cancel run" }).waitFor({ state: "detached" });
      await page
        .getByRole("navigation", { name: "Pages" })
        .getByRole("link", { name: "Tools" })
        .click();
      await page.getByRole("link", { name: /^Last \d+ runs: .*1 failed/ }).waitFor();
      expect((await server.finished(String(slow.body.runId))).status).toBe("cancelled");
      await close();
    },
  );

  test("leaves the runs of the last hour visible while the period moves on", async () => {
    const { page, go, close } = await open("/profile");
    await page.clock.install();
    await go("/runs?since=1h");
    const first = page.getByRole("table", { name: "Runs" }).locator("tbody tr").first();
    await first.waitFor();
    const watch = `new MutationObserver(() => {
      if (document.querySelector("table[aria-label=Runs]") === null) document.title = "gone";
    }).observe(document.querySelector("main"), { childList: true, subtree: true })`;
    await page.evaluate(watch);
    const later = page.waitForRequest(/\/runs\?since=/);
    await page.clock.fastForward(90_000);
    await later;
    await first.waitFor();
    expect(await page.title()).not.toBe("gone");
    await close();
  });

  test("reports a run that does not exist", async () => {
    const { page, close } = await open("/runs/01a1fe0d-f5f8-77ec-a092-f4babefb9543");
    await page.getByText("This run doesn't exist, or you don't have access to it").waitFor();
    await close();
  });

  test("limits the number of elements for a large output", async () => {
    const large = await server.makeTool(
      `export default async () => ({
        rows: Array.from({ length: 20_000 }, (_, id) => ({ id, text: "row " + id })),
        text: "x".repeat(1_000_000),
      })`,
      { title: "Large output" },
    );
    const { body } = await server.run(large);
    const { page, close } = await open(`/runs/${String(body.runId)}`);
    await page.getByText("20000 rows").or(page.getByText("20,000 rows")).first().waitFor();
    expect(Number(await page.evaluate("document.querySelectorAll('*').length"))).toBeLessThan(
      6_000,
    );
    await close();
  });
});

/** Text that would run code, send requests or link to code if it were rendered as markup. */
const hostile = [
  "<img src=x onerror=\"window.pwned='img'\">",
  "<script>window.pwned='script'</script>",
  "<svg onload=\"window.pwned='svg'\"></svg>",
  "[click](javascript:window.pwned='link')",
  "![x](https://evil.example/pixel.png)",
  '<a href="javascript:window.pwned=1">a</a>',
  "<iframe src=https://evil.example></iframe>",
].join("\n\n");

describe.skipIf(!hasBrowser)("hostile text in the console", () => {
  test(
    "is shown as plain text everywhere that a tool can place it",
    { tags: ["nightly"] },
    async () => {
      const words = JSON.stringify(hostile);
      const code = `export default async (input) => {
      console.log(${words});
      if (input["<b>fail"]) throw new Error(${words});
      return { markdown: "# Title\\n\\n" + ${words}, html: ${words}, link: "javascript:window.pwned=2",
        rows: [{ "<img src=x onerror=window.pwned=3>": ${words} }] };
    }`;
      const first = "<img src=x onerror=\"window.pwned='title'\">";
      const tool = await server.makeTool(code, {
        title: first,
        description: hostile,
        inputSchema: {
          type: "object",
          properties: { "<b>fail": { type: "boolean", title: first, description: hostile } },
        },
        outputSchema: {
          properties: [{ name: "html", type: "string", description: hostile, title: first }],
        },
        examples: [{ input: {} }],
      });
      const good = await server.run(tool, {});
      expect(good.body.status).toBe("completed");
      const bad = await server.run(tool, { "<b>fail": true });
      expect(bad.body.status).toBe("failed");
      const { page, go, close } = await open();
      const left: string[] = [];
      page.on("request", (request) => {
        const { origin, protocol } = new URL(request.url());
        if (protocol.startsWith("http") && origin !== server.baseUrl) left.push(request.url());
      });
      const look = async () => {
        await page.waitForLoadState("networkidle");
        const found = await page.evaluate(`({
        pwned: globalThis.pwned,
        links: [...document.querySelectorAll("a, area, form")]
          .map((one) => one.getAttribute("href") ?? one.getAttribute("action") ?? "")
          .filter((address) => /^\\s*(?:javascript|data|vbscript):/i.test(address)),
        markup: document.querySelectorAll("#root img, #root iframe, #root script").length,
      })`);
        expect([page.url(), found]).toEqual([
          page.url(),
          { pwned: undefined, links: [], markup: 0 },
        ]);
      };
      await page.getByRole("link", { name: first, exact: true }).waitFor();
      await look();
      for (const tab of ["run", "docs", "use", "runs", "versions", "source"]) {
        await go(`/tools/${tool}?tab=${tab}`);
        await look();
      }
      await go(`/tools/${tool}?tab=versions&version=1`);
      await look();
      await go(`/tools/${tool}`);
      await page.getByRole("button", { name: "Run", exact: true }).click();
      await page.getByText("Completed").first().waitFor();
      await look();
      for (const { body } of [good, bad]) {
        await go(`/runs/${String(body.runId)}`);
        await page.getByRole("list", { name: "Log" }).waitFor();
        for (const summary of await page.locator("summary").all()) await summary.click();
        await look();
      }
      await page.keyboard.press("Control+k");
      await page.getByRole("searchbox", { name: "Go to a page or tool" }).fill("img onerror");
      await until("the palette has it", 30_000, async () => {
        return (await page.getByRole("menuitem", { name: first }).count()) > 0;
      });
      await look();
      expect(left).toEqual([]);
      await close();
    },
  );
});

const isFull = process.env["TEST_ALL"] === "1";
const comparison = "versions&version=2&with=1";

describe.skipIf(!hasBrowser)("each page of tools and runs", () => {
  test("underlines links in the text of a tool's documentation", async () => {
    const made = await server.call("POST", "/tools", {
      ...draftOf("export default () => ({});"),
      description: "Counts parts as [the guide](https://guide.example) describes.",
    });
    const opened = await open(`/tools/${made.body.name}?tab=docs`);
    await opened.page.getByRole("link", { name: "the guide" }).waitFor();
    const line = await opened.page.evaluate(
      "getComputedStyle(document.querySelector('.toolhost a')).textDecorationLine",
    );
    expect(line).toBe("underline");
    await checkAccessibility(opened.page);
    await opened.close();
  });

  test(
    "passes axe, has enough contrast in dark mode, and fits 320 pixels",
    { tags: ["nightly"] },
    async () => {
      const { body } = await server.run(name, { city: "Rome" });
      const opened = await open("/", { reducedMotion: "reduce" });
      const tabs = isFull ? ["run", "docs", "use", comparison, "source"] : ["run", comparison];
      const others = isFull ? ["/?q=weather", `/runs/${String(body.runId)}`] : [];
      const long = `/runs?toolName=${"w".repeat(64)}`;
      for (const path of [...others, ...tabs.map((tab) => `/tools/${name}?tab=${tab}`), long]) {
        await checkPage(opened, path);
      }
      expect(opened.page.url()).toBe(`${server.baseUrl}${long}`);
      await opened.close();
    },
  );
});
