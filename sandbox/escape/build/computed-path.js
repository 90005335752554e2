export const attempt = {
  tries: "to have a whole folder taken in by a path that it computes",
  refusedBecause: "a tool computes no paths",
  refused: "must name a package in quotes",
};

export default async ({ n }) => ({ was: await import(`../${n}.json`) });
