export const attempt = {
  tries: "to pass another host off as a declared one, behind a backslash",
  refusedBecause: "an address is read once, as browsers do, and sent as it was read",
  seen: ["GET /@{other}/reached"],
  ends: { says: "refused: /@" },
  allowedHosts: ["http://{witness}"],
};

export default async ({ witness, other }) => {
  const answer = await fetch(`http://${witness}\\@${other}/reached`);
  return `refused: ${JSON.parse(await answer.text()).url}`;
};
