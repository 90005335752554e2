export const attempt = {
  tries: "to hold the service by text that looks like imports",
  refusedBecause: "no more than 4,000 characters are looked at for each",
  refused: "must name a package in quotes",
};

export default () => ({ is: "refused", length: `FULL_OF_IMPORTS`.length });
