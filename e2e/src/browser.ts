import { existsSync } from "node:fs";
import { chromium } from "playwright-core";
import type { Browser, Page, Request } from "playwright-core";

const executablePath = process.env["CHROMIUM"] ?? "/usr/bin/chromium";

/** Whether tests in a browser can run here; where all of them have to, they fail instead of being skipped. */
export const hasBrowser = existsSync(executablePath) || process.env["CI"] !== undefined;

/** Chromium as the system has it. `CHROMIUM` names another one. */
export function startChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath,
    // Tests run as root in containers, where Chromium's own sandbox has nothing to build on.
    args: ["--no-sandbox", "--disable-dev-shm-usage"],
  });
}

type Person = { email: string; password: string };

type Choice = {
  person: Person;
  decision?: "Allow" | "Decline";
  /** The workspace's name; needed where there are several. */
  workspace?: string;
  /** Looks at the consent page before anything is pressed. */
  look?: (page: Page) => Promise<void>;
};

/**
 * Goes to an authorization address as a person does: signs in where asked, looks, decides. Gives the address
 * that leads back to the app; what answers there matters not.
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
    // Not before it arrived: to close the page would take it back.
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
