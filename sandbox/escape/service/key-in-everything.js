export const attempt = {
  tries: "to have a credential written into every record",
  refusedBecause: "it has a placeholder, and what hosts send back is cleaned",
  hasKey: true,
};

export default async ({ host }, { credentials, progress }) => {
  const answer = await fetch(`http://${host}/`, { headers: { "x-key": credentials.KEY } });
  const all = await answer.text();
  console.log(all, credentials.KEY);
  progress(0.5, all.slice(0, 400));
  return { all, is: all.includes("hunter2") ? "got through" : "refused" };
};
