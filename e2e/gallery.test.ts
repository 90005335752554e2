import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasBrowser, startChromium } from "./src/browser.ts";
import { checkAccessibility, checkWidth } from "./src/console.ts";
import { interactions, prepareGallery } from "./src/gallery.ts";
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
    await checkAccessibility(page);
    await page.close();
  });

  const schemes = ["light", "dark"] as const;
  test.each(
    Object.keys(interactions).flatMap((name) => schemes.map((scheme) => [name, scheme] as const)),
  )("keeps its contrast with the state %s when it is %s", async (name, colorScheme) => {
    const page = await gallery.open(browser, { colorScheme });
    await interactions[name]?.(page);
    await checkAccessibility(page, { only: ["color-contrast"] });
    await page.close();
  });

  test("marks the focus with an outline or an edge that others do not have", async () => {
    const page = await gallery.open(browser);
    const lookOf = (name: string) =>
      page.getByRole("textbox", { name, exact: true }).evaluate((one) => {
        const view = globalThis as unknown as {
          getComputedStyle(element: unknown): Record<string, string>;
        };
        const { outline, borderColor, boxShadow } = view.getComputedStyle(one);
        return [outline, borderColor, boxShadow];
      });
    const before = await lookOf("Name");
    await interactions["field-focus"]?.(page);
    expect(await lookOf("Name")).not.toEqual(before);
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
