import process from "node:process";
import { formatError } from "../report-error.ts";
import { CliError } from "./cli-error.ts";
import { exitCodes } from "./exit-codes.ts";

/**
 * Lets commands finish their work when their output has no reader left, as after `| head`. Output that is lost for another
 * reason, such as a full disk, is reported, and the exit code is not 0.
 */
export function watchOutput({ isJson }: { isJson: boolean }): void {
  let isLost = false;
  // What goes to stderr only accompanies the result, and there is no place left to report it.
  process.stderr.on("error", () => {});
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (isLost || error.code === "EPIPE" || error.code === "ERR_STREAM_DESTROYED") return;
    isLost = true;
    const report = new CliError(`The output could not be written (${error.code ?? "unknown"}).`, {
      code: "output_failed",
      exitCode: exitCodes.failed,
      cause: error,
    });
    process.stderr.write(`${formatError(report, { isJson, hasColor: false })}\n`);
  });
  process.once("exit", (code) => {
    if (isLost && code === 0) process.exitCode = exitCodes.failed;
  });
}
