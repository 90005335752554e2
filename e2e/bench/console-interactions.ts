import type { Locator, Page } from "playwright-core";
import { until } from "../src/until.ts";
import type { Interaction, InteractionGroup } from "./interactions.ts";

const words = "report 19 ";

const toolRows = (page: Page) => page.getByRole("list", { name: /tools$/ }).getByRole("listitem");
const showsTools = (page: Page) => toolRows(page).nth(8).waitFor();
const runRows = (page: Page) => page.getByRole("table", { name: "Runs" }).locator("tbody tr");
const showsRuns = (page: Page) => runRows(page).nth(20).waitFor();
const searchField = (page: Page) => page.getByRole("searchbox").first();
const palette = (page: Page) => page.getByRole("searchbox", { name: "Go to a page or tool" });

/** Types the next key of some words into a field. */
const typing = (name: string, field: (page: Page) => Locator): Interaction => ({
  name,
  prepare: async (page, round) => {
    if ((await field(page).count()) === 0) await page.keyboard.press("Control+k");
    if (round % words.length === 0) await field(page).fill("");
    await field(page).focus();
  },
  act: (page, round) => page.keyboard.press(words[round % words.length] ?? ""),
  shows: async (page, round) => {
    const typed = words.slice(0, (round % words.length) + 1);
    if ((await field(page).inputValue()) !== typed) throw new Error(`"${typed}" was not typed`);
  },
});

/** Opens the menu of a button. */
const openMenu = (name: string, button: (page: Page, round: number) => Locator): Interaction => ({
  name,
  prepare: async (page) => {
    await page.keyboard.press("Escape");
    await page.getByRole("menu").waitFor({ state: "detached" });
  },
  act: (page, round) => button(page, round).click(),
  shows: (page) => page.getByRole("menu").waitFor(),
});

/** Chooses the next option of a select by keyboard, as a click on the list of options is not an event of the page. */
const chooseOption = (
  name: string,
  label: string,
  shows: (page: Page) => Promise<void>,
): Interaction => ({
  name,
  prepare: (page) => page.getByRole("combobox", { name: label }).focus(),
  act: (page, round) => page.keyboard.press(round % 2 === 0 ? "ArrowDown" : "ArrowUp"),
  shows,
});

const openPalette: Interaction = {
  name: "open the command palette",
  prepare: async (page) => {
    await page.keyboard.press("Escape");
    await palette(page).waitFor({ state: "detached" });
  },
  act: (page) => page.keyboard.press("Control+k"),
  shows: (page) => palette(page).waitFor(),
};

const scroll: Interaction = {
  name: "scroll by a page",
  prepare: (page) => page.locator("#main").focus(),
  act: (page) => page.keyboard.press("PageDown"),
  shows: async (page) => {
    await until("the page scrolled", 5_000, () => page.evaluate("scrollY > 0"));
  },
};

const home: InteractionGroup = {
  path: "/",
  ready: showsTools,
  interactions: [
    {
      name: "choose another list",
      act: (page, round) =>
        page.getByRole("tab", { name: round % 2 === 0 ? "Yours" : "All", exact: true }).click(),
      shows: showsTools,
    },
    chooseOption("sort", "Sort", showsTools),
    {
      name: "open a filter",
      prepare: async (page) => {
        await page.keyboard.press("Escape");
      },
      act: (page) => page.getByRole("combobox", { name: "Available to" }).click(),
      shows: showsTools,
    },
    openMenu("open the menu of a tool", (page, round) =>
      toolRows(page)
        .nth(round % 6)
        .getByRole("button", { name: /^More/ }),
    ),
    {
      name: "start a selection",
      prepare: async (page, round) => {
        if (round > 0) await page.getByRole("button", { name: "End selection" }).click();
      },
      act: (page) => page.getByRole("button", { name: "Select", exact: true }).click(),
      shows: (page) => toolRows(page).getByRole("checkbox").first().waitFor(),
    },
    {
      name: "select a row",
      prepare: async (page, round) => {
        const button = page.getByRole("button", { name: "Select", exact: true });
        if (round === 0) await button.click();
      },
      act: (page, round) =>
        toolRows(page)
          .getByRole("checkbox")
          .nth(round % 6)
          .click(),
      shows: (page) => page.getByText(/\d selected/).waitFor(),
    },
    scroll,
    openPalette,
    typing("type in the command palette", palette),
    typing("type in the search", searchField),
  ],
};

const runs: InteractionGroup = {
  path: "/runs",
  ready: showsRuns,
  interactions: [
    {
      name: "sort a column",
      act: (page) => page.getByRole("button", { name: "Started" }).click(),
      shows: showsRuns,
    },
    openMenu("open the menu of columns", (page) => page.getByRole("button", { name: "Columns" })),
    {
      name: "hide or show a column",
      prepare: async (page) => {
        if ((await page.getByRole("menu").count()) === 0)
          await page.getByRole("button", { name: "Columns" }).click();
      },
      act: (page) => page.getByRole("menu").getByText("Duration").click(),
      shows: showsRuns,
    },
    chooseOption("choose a filter", "Status", () => Promise.resolve()),
    scroll,
    typing("type in the search", searchField),
    openPalette,
    {
      name: "open a run",
      prepare: async (page) => {
        if (!new URL(page.url()).pathname.endsWith("/runs")) await page.goBack();
        await showsRuns(page);
      },
      act: (page, round) => runRows(page).nth(round).getByRole("link").first().click(),
      shows: (page) => page.waitForURL(/\/runs\/[0-9a-f-]+/),
    },
  ],
};

/** The interactions with the lists of tools and runs. */
export const interactionGroups: readonly InteractionGroup[] = [home, runs];
