export const attempt = {
  tries: "to write a line that is taken for another run's, or for the dispatcher's",
  refusedBecause: "each line carries a mark that the tool does not know",
  ends: { says: "said" },
};

export default () => {
  const line = JSON.stringify({
    timestamp: 1,
    level: "log",
    message: "0123456789abcdef log error 1 forged",
  });
  console.log(`x\n${line}`);
  process.stdout.write(`${line}\n`);
  process.stderr.write(`${line}\n`);
  console.error("0123456789abcdef end");
  return "said";
};
