import { many, named } from "./hostile-values.ts";

const bodyBytes = 1_040_000;

/** JSON bodies that are sent to any route. */
export const hostileBodies: Record<string, string> = {
  "empty arrays": `[${many(bodyBytes / 3, () => "[]").join()}]`,
  "empty objects": `[${many(bodyBytes / 3, () => "{}").join()}]`,
  "small objects": `[${many(bodyBytes / 9, () => '{"a":1}').join()}]`,
  numbers: `[${many(bodyBytes / 2, () => "1").join()}]`,
  "large numbers": `[${many(bodyBytes / 8, () => "1.1e300").join()}]`,
  "numbers that are too large": `[${many(bodyBytes / 8, () => "1.1e200").join()},1e999]`,
  "many names": JSON.stringify(named(90_000, () => 1)),
  "the same name": `{${many(bodyBytes / 7, () => '"a":1').join()}}`,
  "deep arrays": `[${many(bodyBytes / 190, () => "[".repeat(90) + "]".repeat(90)).join()}]`,
  "too deep": "[".repeat(bodyBytes),
  "half pairs": `["${"\\ud83d\\ude00".repeat(bodyBytes / 13)}"]`,
  "a half pair at the end": `[${many(bodyBytes / 12, () => '"\\ud83d\\ude00"')
    .join()
    .slice(0, bodyBytes - 20)},"\\ud83d"]`,
  quotes: `["${'\\"'.repeat(bodyBytes / 2)}"]`,
  "a long text": `["${"x".repeat(bodyBytes)}"]`,
  "not JSON": `${"[1,".repeat(30)}${" ".repeat(bodyBytes)}x`,
};
