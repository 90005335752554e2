export const attempt = {
  tries: "to disguise another host with a backslash",
  blockedBecause: "the URL is parsed once, like in browsers, and sent as parsed",
  seen: ["GET /@{other}/reached"],
  ends: { says: "refused: /@" },
  allowedHosts: ["http://{witness}"],
};

export default async ({ witness, other }) => {
  const answer = await fetch(`http://${witness}\\@${other}/reached`);
  return `refused: ${JSON.parse(await answer.text()).url}`;
};
