import { readFileSync } from "node:fs";
import type { SearchableTool } from "../../src/core/catalog/search/ranker.ts";
import { createRandom } from "./random.ts";

const background = new URL("../../src/core/catalog/search/lexicon/background.txt", import.meta.url);

/** Makes tools and queries of words that are as common as in tools at large; the same ones in each run. */
export function createSyntheticText() {
  const words: string[] = [];
  const limits: number[] = [];
  let total = 0;
  for (const line of readFileSync(background, "utf8").split("\n").filter(Boolean)) {
    const [word = "", count] = line.split(" ");
    words.push(word);
    limits.push((total += Number(count)));
  }
  const random = createRandom();
  const between = (min: number, max: number) => min + Math.floor(random() * (max - min + 1));
  const word = () => {
    const at = random() * total;
    let low = 0;
    let high = limits.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((limits[middle] ?? 0) < at) low = middle + 1;
      else high = middle;
    }
    return words[low] ?? "";
  };
  const sentence = (min: number, max: number) =>
    Array.from({ length: between(min, max) }, word).join(" ");
  const tool = (id: number): SearchableTool => {
    const title = sentence(2, 4);
    const properties = Object.fromEntries(
      Array.from({ length: between(1, 5) }, () => [
        word(),
        { type: "string", description: sentence(3, 9) },
      ]),
    );
    return {
      id: `t${id}`,
      name: `${title.replaceAll(" ", "_")}_ab${id % 100}`.slice(0, 60),
      title,
      // A few words are of this tool only, such as the name of a product.
      description: `${sentence(8, 30)} product${id % 20_000}`,
      inputSchema: { type: "object", properties },
    };
  };
  return { tool, sentence };
}
