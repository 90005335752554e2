export const attempt = {
  tries: "to have a host outside speak in the name of the gate",
  refusedBecause: "headers of ours are taken out of every answer",
  seen: ["GET /forged-refusal"],
  ends: { says: "refused: came through" },
  allowedHosts: ["http://{witness}"],
};

export default async ({ witness }) => {
  const answer = await fetch(`http://${witness}/forged-refusal`);
  const ours = [...answer.headers.keys()].filter((name) => name.startsWith("x-toolhost"));
  return ours.length === 0 ? `refused: ${await answer.text()}` : `got through: ${ours}`;
};
