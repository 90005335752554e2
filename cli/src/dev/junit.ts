/** One input that a tool was run with, and the outcome. */
export type TestResult = {
  tool: string;
  test: string;
  status: "passed" | "failed" | "skipped";
  durationMs: number;
  message?: string;
  runId?: string;
};

/** The results as JUnit XML, which CI systems show. */
export function toJunit(results: readonly TestResult[]): string {
  const suites = new Map<string, TestResult[]>();
  for (const result of results) {
    suites.set(result.tool, [...(suites.get(result.tool) ?? []), result]);
  }
  const lines = [...suites].flatMap(([tool, cases]) => [
    `  <testsuite ${attributes({ name: tool, ...totals(cases) })}>`,
    ...cases.flatMap(testCase),
    "  </testsuite>",
  ]);
  const head = '<?xml version="1.0" encoding="UTF-8"?>';
  return [
    head,
    `<testsuites ${attributes({ name: "toolhost", ...totals(results) })}>`,
    ...lines,
    "</testsuites>",
    "",
  ].join("\n");
}

function testCase({ tool, test, status, durationMs, message = "" }: TestResult): string[] {
  const head = `    <testcase ${attributes({ classname: tool, name: test, time: seconds(durationMs) })}`;
  if (status === "passed") return [`${head} />`];
  const first = message.split("\n")[0] ?? "";
  const inner =
    status === "skipped"
      ? `<skipped ${attributes({ message: first })} />`
      : `<failure ${attributes({ message: first })}>${escape(message)}</failure>`;
  return [`${head}>`, `      ${inner}`, "    </testcase>"];
}

function totals(results: readonly TestResult[]) {
  const count = (status: string) => results.filter((result) => result.status === status).length;
  return {
    tests: results.length,
    failures: count("failed"),
    skipped: count("skipped"),
    time: seconds(results.reduce((sum, { durationMs }) => sum + durationMs, 0)),
  };
}

const seconds = (ms: number) => (ms / 1_000).toFixed(3);

const attributes = (values: Readonly<Record<string, string | number>>) =>
  Object.entries(values)
    .map(([name, value]) => `${name}="${escape(String(value))}"`)
    .join(" ");

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};

/** Text for XML 1.0, which cannot contain most control characters. */
function escape(text: string): string {
  return (
    text
      .toWellFormed()
      // oxlint-disable-next-line no-control-regex -- XML cannot contain them
      .replaceAll(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g, "\uFFFD")
      .replaceAll(/[&<>"']/g, (character) => entities[character] ?? "")
  );
}
