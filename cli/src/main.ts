import process from "node:process";
import { runCli } from "./run-cli.ts";

const args = process.argv.slice(2);
if (args.length === 0) {
  process.stderr.write(
    "This is the command line of Toolhost, without the service. To start the service: npx toolhost\n\n",
  );
}
await runCli(args.length === 0 ? ["--help"] : args);
