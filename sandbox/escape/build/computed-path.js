export const attempt = {
  tries: "to bundle a whole folder with a computed path",
  blockedBecause: "computed import paths are not supported",
  refused: "must name a package as a string",
};

export default async ({ n }) => ({ was: await import(`../${n}.json`) });
