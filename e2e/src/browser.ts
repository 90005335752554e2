import { existsSync } from "node:fs";
import { chromium } from "playwright-core";
import type { Browser, Page, Request } from "playwright-core";

const executablePath = process.env["CHROMIUM"] ?? "/usr/bin/chromium";

/** Whether browser tests can run here. If all of them have to, they fail instead of being skipped. */
export const hasBrowser = existsSync(executablePath) || process.env["CI"] !== undefined;

/** The system's Chromium, or the browser in `CHROMIUM`. */
export function startChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath,
    // Tests run as root in containers, where Chromium's own sandbox does not work.
    args: ["--no-sandbox", "--disable-dev-shm-usage"],
  });
}

type Person = { email: string; password: string };

type Choice = {
  person: Person;
  decision?: "Allow" | "Decline";
  /** The workspace's name, required if there are several. */
  workspace?: string;
  /** Called with the consent page before a button is pressed. */
  look?: (page: Page) => Promise<void>;
};

/**
 * Opens an authorization URL like a user: signs in if required and decides. Returns the URL of the redirect to the app,
 * whose response does not matter.
 */
export async function goThroughConsent(
  browser: Browser,
  address: string,
  { person, decision = "Allow", workspace, look }: Choice,
): Promise<URL> {
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    const back = Promise.withResolvers<URL>();
    const { origin } = new URL(address);
    // Closing the page earlier would cancel the request.
    const arrive = (request: Request) => {
      const url = new URL(request.url());
      if (request.isNavigationRequest() && url.origin !== origin) back.resolve(url);
    };
    page.on("requestfailed", arrive);
    page.on("response", (response) => arrive(response.request()));
    await page.goto(address);
    await page.getByLabel("Email address").fill(person.email);
    await page.getByLabel("Password").fill(person.password);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("button", { name: "Allow" }).waitFor();
    await look?.(page);
    if (workspace !== undefined) await page.getByRole("radio", { name: workspace }).check();
    await page.getByRole("button", { name: decision }).click({ noWaitAfter: true });
    return await back.promise;
  } finally {
    await context.close();
  }
}
