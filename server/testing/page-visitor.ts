/** A browser for the server's pages: it stores cookies, and follows no redirect automatically. */
export type Visitor = {
  get(path: string): Promise<Seen>;
  /** Submits the form of the page. */
  post(path: string, fields: Readonly<Record<string, string>>): Promise<Seen>;
  /** Calls `/api/auth` or REST as a script of the page would. */
  ask(path: string, body?: unknown): Promise<Response>;
  cookies(): string;
};

type Seen = { status: number; location: string | null; text: string };

/** A browser without cookies. */
export function createVisitor(baseUrl: string): Visitor {
  const jar = new Map<string, string>();
  const cookies = () => [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
  const send = async (path: string, init: RequestInit) => {
    const headers = new Headers(init.headers);
    headers.set("cookie", cookies());
    const url = new URL(path, baseUrl);
    const response = await fetch(url, { ...init, headers, redirect: "manual" });
    if (url.origin === new URL(baseUrl).origin) keep(jar, response);
    return response;
  };
  const see = async (path: string, init: RequestInit): Promise<Seen> => {
    const response = await send(path, init);
    const location = response.headers.get("location");
    return { status: response.status, location, text: await response.text() };
  };
  return {
    cookies,
    get: (path) => see(path, {}),
    post: (path, fields) =>
      see(path, {
        method: "POST",
        headers: { origin: baseUrl },
        body: new URLSearchParams(fields),
      }),
    ask: (path, body) =>
      send(path, {
        method: body === undefined ? "GET" : "POST",
        headers: { origin: baseUrl, "content-type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
  };
}

function keep(jar: Map<string, string>, response: Response): void {
  for (const line of response.headers.getSetCookie()) {
    const [pair = ""] = line.split(";", 1);
    const name = pair.slice(0, pair.indexOf("="));
    if (/max-age=0\b/i.test(line)) jar.delete(name);
    else jar.set(name, pair.slice(name.length + 1));
  }
}
