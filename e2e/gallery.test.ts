import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasBrowser, startChromium } from "./src/browser.ts";
import { checkAccessibility, checkWidth } from "./src/console.ts";
import { prepareGallery } from "./src/gallery.ts";
import type { Gallery } from "./src/gallery.ts";

describe.skipIf(!hasBrowser)("the design", () => {
  let browser: Browser;
  let gallery: Gallery;

  beforeAll(async () => {
    [browser, gallery] = await Promise.all([startChromium(), prepareGallery()]);
  });
  afterAll(async () => {
    await browser?.close();
    await gallery?.remove();
  });

  test.each(["light", "dark"] as const)("is accessible when it is %s", async (colorScheme) => {
    const page = await gallery.open(browser, { colorScheme });
    await checkAccessibility(page, { ofAnyImpact: true });
    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: "Duplicate" }).waitFor();
    await checkAccessibility(page, { only: ["color-contrast"] });
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Open dialog" }).click();
    await page.getByRole("dialog").waitFor();
    await checkAccessibility(page, { ofAnyImpact: true });
    await page.close();
  });

  test.each([1_440, 390, 320])("fits into a window of %i pixels", async (width) => {
    const page = await gallery.open(browser, { viewport: { width, height: 800 } });
    await checkWidth(page);
    await page.close();
  });

  test("has controls of the same size, font and edge in forms of tools and in the console", async () => {
    const page = await gallery.open(browser);
    const lookOf = (section: string, name: string) =>
      page
        .getByRole("region", { name: section, exact: true })
        .getByRole("textbox", { name, exact: true })
        .evaluate((one) => {
          const view = globalThis as unknown as {
            getComputedStyle(element: unknown): Record<string, string>;
          };
          const style = view.getComputedStyle(one);
          return ["height", "font", "border", "borderRadius", "padding", "backgroundColor"].map(
            (property) => style[property],
          );
        });
    expect(await lookOf("Form of a tool", "City")).toEqual(await lookOf("Fields", "Name"));
    await page.close();
  });
});
