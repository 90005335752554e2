export const attempt = {
  tries: "to write a credential to every record",
  blockedBecause: "it has only a placeholder, and responses are redacted",
  hasKey: true,
};

export default async ({ host }, { credentials, progress }) => {
  const answer = await fetch(`http://${host}/`, { headers: { "x-key": credentials.KEY } });
  const all = await answer.text();
  console.log(all, credentials.KEY);
  progress(0.5, all.slice(0, 400));
  return { all, is: all.includes("hunter2") ? "got through" : "refused" };
};
