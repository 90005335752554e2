type State = "open" | "closed" | "all";

type Input = {
  repository: string;
  state?: State;
  kind?: "issues" | "pull_requests" | "both";
  labels?: string[];
  text?: string;
  limit?: number;
};

type Issue = {
  number: number;
  title: string;
  state: string;
  kind: "issue" | "pull_request";
  author: string | null;
  labels: string[];
  comments: number;
  createdAt: string;
  updatedAt: string;
  url: string;
};

type Output = {
  issues: Issue[];
  total: number;
  hasMore: boolean;
  rateLimit: { remaining: number | null; resetAt: string | null };
};

/** The used fields of an issue in GitHub's API. */
type Found = {
  number: number;
  title: string;
  state: string;
  pull_request?: unknown;
  user: { login: string } | null;
  labels: { name: string }[];
  comments: number;
  created_at: string;
  updated_at: string;
  html_url: string;
};

type Page = { total_count: number; items: Found[] };

const api = "https://api.github.com";
const perPage = 100;

/** Finds issues and pull requests of a repository, most recently updated first. */
export default async function githubIssues(input: Input, ctx: ToolContext): Promise<Output> {
  const { limit = 30 } = input;
  const issues: Issue[] = [];
  const words = searchFor(input);
  let rateLimit: Output["rateLimit"] = { remaining: null, resetAt: null };
  let total = 0;
  for (let page = 1; issues.length < limit; page += 1) {
    const count = Math.min(perPage, limit);
    const query = new URLSearchParams({
      q: words,
      sort: "updated",
      per_page: `${count}`,
      page: `${page}`,
    });
    const response = await ask(`/search/issues?${query}`, input, ctx);
    const found = (await response.json()) as Page;
    rateLimit = rateLimitOf(response);
    total = found.total_count;
    issues.push(...found.items.map(toIssue));
    ctx.progress(Math.min(1, issues.length / Math.min(limit, Math.max(1, total))));
    if (found.items.length < count || issues.length >= total) break;
  }
  const shown = issues.slice(0, limit);
  return { issues: shown, total, hasMore: shown.length < total, rateLimit };
}

function searchFor({
  repository,
  state = "open",
  kind = "issues",
  labels = [],
  text = "",
}: Input): string {
  if (!/^[\w.-]+\/[\w.-]+$/.test(repository)) {
    throw new Error(
      `"${repository}" is not a repository. Use owner and name, such as "nodejs/node".`,
    );
  }
  return [
    // In quotes, so that the words cannot contain search qualifiers, such as another repository.
    ...text.split(/\s+/).filter(Boolean).map(quoted),
    `repo:${repository}`,
    ...(state === "all" ? [] : [`state:${state}`]),
    ...(kind === "both" ? [] : [kind === "issues" ? "is:issue" : "is:pull-request"]),
    ...labels.map((label) => `label:${quoted(label)}`),
  ].join(" ");
}

function quoted(words: string): string {
  return `"${words.replaceAll(/["\\]/g, " ").trim()}"`;
}

async function ask(path: string, { repository }: Input, ctx: ToolContext): Promise<Response> {
  const response = await fetch(`${api}${path}`, {
    headers: {
      accept: "application/vnd.github+json",
      authorization: `Bearer ${ctx.credentials["GITHUB_TOKEN"]}`,
      "user-agent": "toolhost-github-issues",
      "x-github-api-version": "2022-11-28",
    },
    signal: ctx.signal,
  });
  if (response.ok) return response;
  throw new Error(await problemOf(response, repository));
}

async function problemOf(response: Response, repository: string): Promise<string> {
  const { status } = response;
  const { resetAt } = rateLimitOf(response);
  if (status === 401) {
    return "GitHub rejected the token. Update the credential GITHUB_TOKEN with a valid one.";
  }
  if (status === 429 || isLimited(response)) {
    const wait = response.headers.get("retry-after");
    const when = wait === null ? `after ${resetAt ?? "a minute"}` : `in ${wait} seconds`;
    return `GitHub's rate limit for this token is exceeded. Try again ${when}.`;
  }
  if (status === 403)
    return `The token cannot read ${repository}. Grant it permission to read issues.`;
  // GitHub returns this for repositories that do not exist and for those that the token cannot access.
  if (status === 404 || status === 422) {
    return `The repository ${repository} does not exist, or the token cannot access it. Check the name and the token.`;
  }
  const message = (await response.text()).slice(0, 200);
  return `GitHub responded with status ${status}. Try again later. Message: ${message}`;
}

function isLimited({ status, headers }: Response): boolean {
  const isUsedUp = headers.get("x-ratelimit-remaining") === "0" || headers.has("retry-after");
  return status === 403 && isUsedUp;
}

function rateLimitOf({ headers }: Response): Output["rateLimit"] {
  const remaining = headers.get("x-ratelimit-remaining");
  const reset = headers.get("x-ratelimit-reset");
  return {
    remaining: remaining === null ? null : Number(remaining),
    resetAt: reset === null ? null : new Date(Number(reset) * 1000).toISOString(),
  };
}

function toIssue(found: Found): Issue {
  return {
    number: found.number,
    title: found.title,
    state: found.state,
    kind: found.pull_request === undefined ? "issue" : "pull_request",
    author: found.user?.login ?? null,
    labels: found.labels.map(({ name }) => name),
    comments: found.comments,
    createdAt: found.created_at,
    updatedAt: found.updated_at,
    url: found.html_url,
  };
}
