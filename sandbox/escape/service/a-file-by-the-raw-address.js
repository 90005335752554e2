export const attempt = {
  tries: "to ask the host of files itself for more than ctx.files does",
  refusedBecause: "the host answers for the run alone, whatever is asked",
};

export default async () => {
  const ends = [];
  for (const path of ["", "..", "../runs", "%2e%2e/%2e%2e/etc/passwd", "?workspace=1"]) {
    for (const method of ["GET", "PUT", "DELETE", "PATCH"]) {
      const answer = await fetch(`http://files.internal/${path}`, { method });
      ends.push(answer.ok ? "got through" : answer.status);
    }
  }
  return { ends: ends.join(), is: "refused" };
};
