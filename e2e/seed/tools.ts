import type { RawCreateToolInput } from "@toolhost/contract";

/** A tool with inputs for its runs. */
export type SampleTool = { definition: RawCreateToolInput; inputs: readonly object[] };

/** A definition in TypeScript with a schema whose properties are all required. */
function define(
  [title, description]: readonly [string, string],
  properties: Readonly<Record<string, object>>,
  code: string,
  rest: Partial<RawCreateToolInput> = {},
): RawCreateToolInput {
  const inputSchema = { type: "object", properties, required: Object.keys(properties) };
  return {
    title,
    description,
    inputSchema,
    source: { language: "typescript", code },
    visibility: "workspace",
    ...rest,
  };
}

const text = (description: string) => ({ type: "string", description });
const number = (description: string) => ({ type: "number", description });
const issueHosts = ["api.github.com"];

/** A credential with a value that opens nothing. */
export const sampleCredential = {
  name: "GITHUB_TOKEN",
  value: "not-a-real-token",
  owner: "workspace",
  hosts: issueHosts,
} as const;

/** A tool that fails each time. */
export const failingTool = define(
  ["Check website", "Checks whether a website responds."],
  { url: text("Address of the website.") },
  `export default async ({ url }) => { throw new Error(url + " responded with status 503"); }`,
);

const places = ["Lisbon", "Porto", "Faro", "Braga", "Coimbra", "Madrid"];

/** Tools of the workspace: shared, private and public, with runs that complete, fail, and save files. */
export const sampleTools: readonly SampleTool[] = [
  {
    definition: define(
      ["Weather forecast", "Returns the forecast for a city: highs, lows and rain for each day."],
      { city: text("Name of the city."), days: number("Number of days.") },
      `export default async ({ city, days }, ctx) => {
  const forecast = [];
  for (let day = 1; day <= days; day += 1) {
    ctx.progress(day / days, "day " + day);
    console.log("Forecast for day", day, "in", city);
    forecast.push({ day: "Day " + day, high: 18 + day, low: 9 + day, rain: day * 7 });
  }
  return { city, forecast, summary: "Mostly dry in " + city + "." };
};`,
    ),
    inputs: places.map((city, index) => ({ city, days: 2 + (index % 4) })),
  },
  {
    definition: define(
      ["Invoice total", "Adds up the lines of an invoice and applies the tax rate."],
      {
        lines: {
          type: "array",
          description: "Amounts of the lines.",
          items: { type: "number" },
        },
        taxRate: number("Tax rate, such as 0.23."),
      },
      `export default async ({ lines, taxRate }) => {
  const net = lines.reduce((sum, line) => sum + line, 0);
  if (net < 0) throw new Error("The total of an invoice must not be negative");
  return { net, tax: Math.round(net * taxRate * 100) / 100 };
};`,
    ),
    inputs: [
      { lines: [120, 80.5], taxRate: 0.23 },
      { lines: [-20], taxRate: 0.23 },
      { lines: [19.9, 5, 5], taxRate: 0.06 },
    ],
  },
  {
    definition: define(
      ["Sales report", "Writes the sales of each region to a CSV file."],
      { quarter: text("Quarter, such as 2026-Q3.") },
      `export default async ({ quarter }, ctx) => {
  const rows = ["region,sales", "North,1200", "South,950", "Islands,310"];
  const file = await ctx.files.save({
    name: "sales-" + quarter + ".csv", mimeType: "text/csv", body: rows.join("\\n"),
  });
  return { quarter, file };
};`,
    ),
    inputs: ["2026-Q1", "2026-Q2", "2026-Q3"].map((quarter) => ({ quarter })),
  },
  {
    definition: define(
      ["Password strength", "Estimates how hard a password is to guess."],
      { password: { ...text("The password."), writeOnly: true, format: "password" } },
      `export default async ({ password }) => ({ bits: Math.round(password.length * 3.5) });`,
      { visibility: "private" },
    ),
    inputs: [{ password: "correct horse battery" }, { password: "1234" }],
  },
  {
    definition: define(
      ["Meeting notes", "Turns the lines of a meeting into a Markdown list."],
      { title: text("Title of the meeting."), notes: text("One note per line.") },
      `export default async ({ title, notes }) => ({
  markdown: "# " + title + "\\n\\n" + notes.split("\\n").map((note) => "- " + note).join("\\n"),
});`,
      { visibility: "public" },
    ),
    inputs: [{ title: "Weekly", notes: "Release on Friday\nHire a designer" }],
  },
  {
    definition: define(
      ["Slow import", "Imports the pages of a catalog, one after another."],
      { pages: number("Number of pages.") },
      `export default async ({ pages }, ctx) => {
  for (let page = 1; page <= pages; page += 1) {
    ctx.progress(page / pages, "page " + page);
    await new Promise((done) => setTimeout(done, 100));
  }
  return { pages };
};`,
      { timeoutMs: 1_000 },
    ),
    // The second one exceeds the time limit.
    inputs: [{ pages: 3 }, { pages: 30 }],
  },
  {
    definition: failingTool,
    inputs: [{ url: "https://shop.example.com" }, { url: "https://example.com/status" }],
  },
  {
    definition: define(
      ["Create issue", "Creates issues in the tracker. Requires a token with write permission."],
      { title: text("Title of the issue.") },
      `export default async ({ title }, ctx) => {
  const headers = { authorization: "Bearer " + ctx.credentials.GITHUB_TOKEN };
  const body = JSON.stringify({ title });
  const response = await fetch("https://api.github.com/repos/example/example/issues", {
    method: "POST", headers, body,
  });
  return { status: response.status };
};`,
      {
        allowedHosts: issueHosts,
        confirm: true,
        credentials: [
          {
            name: "GITHUB_TOKEN",
            description: "A token that may write issues.",
            hosts: issueHosts,
          },
        ],
      },
    ),
    inputs: [],
  },
];

/** Public tools of a second workspace, which the first one installs. */
export const publicTools: readonly SampleTool[] = [
  {
    definition: define(
      ["Reading time", "Estimates how long it takes to read a text."],
      { text: text("The text.") },
      `export default async ({ text }) => ({ minutes: Math.ceil(text.split(/\\s+/).length / 220) });`,
      { visibility: "public" },
    ),
    inputs: [{ text: "A short text." }, { text: "word ".repeat(900) }],
  },
  {
    definition: define(
      ["Currency converter", "Converts an amount with the exchange rate that you pass."],
      { amount: number("The amount."), rate: number("The exchange rate.") },
      `export default async ({ amount, rate }) => ({ converted: amount * rate });`,
      { visibility: "public" },
    ),
    inputs: [{ amount: 100, rate: 1.08 }],
  },
];

/** Drafts: one that is complete, and one that is not. */
export const sampleDrafts: readonly { title: string; [field: string]: unknown }[] = [
  define(
    ["Translate text", "Translates a text with the glossary of the company."],
    { text: text("The text.") },
    `export default async ({ text }) => ({ translated: text });`,
  ),
  {
    title: "Summarize ticket",
    source: { language: "typescript", code: "export default async () =>" },
  },
];
