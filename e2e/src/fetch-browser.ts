/** A page that the browser has loaded. */
export type Page = { status: number; url: string; headers: Headers; text: string };

/** A minimal browser: it stores cookies by host and follows redirects. */
export type Browser = {
  open(url: string): Promise<Page>;
  /** Submits the form of a page to its `action`. */
  submit(page: Page, fields: Record<string, string>): Promise<Page>;
  /** Requests a URL without following redirects. */
  step(url: string): Promise<Page>;
  /** Initial cookies, from signing in. */
  setCookies(url: string, cookies: string): void;
};

const maxRedirects = 10;

export function createBrowser(): Browser {
  const jars = new Map<string, Map<string, string>>();
  const jarOf = (url: string) => {
    const { hostname } = new URL(url);
    const jar = jars.get(hostname) ?? new Map<string, string>();
    jars.set(hostname, jar);
    return jar;
  };
  const step = async (url: string, form?: Record<string, string>): Promise<Page> => {
    const jar = jarOf(url);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await fetch(url, {
      redirect: "manual",
      headers: { cookie, ...(form === undefined ? {} : { origin: new URL(url).origin }) },
      ...(form === undefined ? {} : { method: "POST", body: new URLSearchParams(form) }),
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === "" || /max-age=0|expires=Thu, 01 Jan 1970/i.test(line)) jar.delete(name);
      else jar.set(name, value);
    }
    return { status: response.status, url, headers: response.headers, text: await response.text() };
  };
  const follow = async (first: Page): Promise<Page> => {
    let page = first;
    for (let count = 0; count < maxRedirects; count++) {
      const location = page.headers.get("location");
      if (page.status < 300 || page.status > 399 || location === null) return page;
      page = await step(new URL(location, page.url).href);
    }
    throw new Error(`${first.url} redirects without end`);
  };
  return {
    open: async (url) => follow(await step(url)),
    step,
    submit: async (page, fields) => {
      const action = /<form[^>]* action="([^"]*)"/.exec(page.text)?.[1];
      if (action === undefined) throw new Error(`There is no form: ${page.text.slice(0, 500)}`);
      const hidden = [...page.text.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g)];
      const given = hidden.map(([, name = "", value = ""]) => [
        name,
        value.replaceAll("&amp;", "&"),
      ]);
      const form = { ...(Object.fromEntries(given) as Record<string, string>), ...fields };
      return follow(await step(new URL(action, page.url).href, form));
    },
    setCookies: (url, cookies) => {
      for (const cookie of cookies.split("; ")) {
        const at = cookie.indexOf("=");
        jarOf(url).set(cookie.slice(0, at), cookie.slice(at + 1));
      }
    },
  };
}
