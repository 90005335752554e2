export const attempt = {
  tries: "to request more from the files host than ctx.files does",
  blockedBecause: "the host serves only the run's own files",
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
