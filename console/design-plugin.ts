import { controls, fontFaces, pickers, surfaces, tokens } from "@toolhost/ui/design";
import type { Plugin } from "vite";

const id = "virtual:design.css";

/**
 * Serves the typeface, the tokens and the looks of all controls as a style sheet. They are in a layer below the utilities, so that a component
 * can change its place and size.
 */
export const design: Plugin = {
  name: "design",
  resolveId: { filter: { id: /^virtual:design\.css$/ }, handler: () => `\0${id}` },
  load: {
    filter: { id: /virtual:design\.css$/ },
    handler: () => `@layer theme, base, components, utilities;
${fontFaces((file) => `/src/fonts/${file}`)}
${tokens}
@layer components {${controls}${pickers}${surfaces}}`,
  },
};
