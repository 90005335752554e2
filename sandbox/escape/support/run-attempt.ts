import { createHash } from "node:crypto";
import { EGRESS_LIMITS, LIMITS, reach, run } from "../../src/test-sandbox.ts";
import type { ExecuteResult, Progress, Sandbox } from "../../src/types.ts";
import { filled, type Attempt, type HostileTool } from "./attempt.ts";
import { startWitness } from "./witness.ts";

/** The result of an attempt, with its addresses filled in. */
export type AttemptResult = {
  attempt: Attempt;
  result: ExecuteResult;
  progress: Progress[];
  /** Requests that external servers received. */
  seen: string[];
  /** Everything that the external server without a credential received. */
  received: string[];
};

/** The value of the credential `KEY`. Only the external servers may ever see it. */
export const SECRET = "sk_live_4f9A0c7e-escape";

let attempts = 0;

/** Runs a hostile tool in the sandbox, with the runs that it declares. */
export async function runAttempt(
  sandbox: Sandbox,
  tool: HostileTool,
  own: string,
): Promise<AttemptResult & { workspace: string }> {
  const [witness, other] = await Promise.all([startWitness(), startWitness()]);
  const addresses = withPorts({ witness: witness.address, other: other.address, own });
  const attempt = filled(tool.attempt, addresses);
  const progress: Progress[] = [];
  attempts += 1;
  const workspace = `workspace of attemptResult ${attempts}`;
  try {
    let result: ExecuteResult | undefined;
    for (const runner of attempt.runs ?? [{}]) {
      progress.length = 0;
      const { user = "mallory", version = 1 } = runner;
      result = await run(sandbox, tool.code, {
        ...requestOf(attempt, addresses),
        workspaceId: runner.workspace ?? workspace,
        reuseKey: `${tool.name} ${version} ${user}`,
        code: { id: hashOf(`${tool.code}// ${version}`), module: `${tool.code}// ${version}` },
        onProgress: (step) => progress.push(step),
      });
    }
    if (result === undefined) throw new Error(`${tool.name} declares no run`);
    return {
      attempt,
      result,
      progress,
      seen: [...witness.seen, ...other.seen],
      received: other.received,
      workspace,
    };
  } finally {
    witness.close();
    other.close();
  }
}

function withPorts(addresses: Record<string, string>): Record<string, string> {
  const ports = Object.entries(addresses).map(([name, address]) => {
    return [`${name}Port`, address.split(":").at(-1) ?? ""] as const;
  });
  return { ...addresses, ...Object.fromEntries(ports) };
}

const hashOf = (text: string) => createHash("sha256").update(text).digest("hex");

function requestOf(attempt: Attempt, addresses: Record<string, string>) {
  const { allowedHosts = [], privateHosts, keyHosts, limits, isolation = "reuse" } = attempt;
  // Unique to this run, like in the service.
  const placeholder = `th_${hashOf(`${performance.now()} ${attempts}`).slice(0, 32)}`;
  const isExposed = attempt.keyIsExposed === true;
  const secrets =
    keyHosts === undefined
      ? []
      : [{ name: "KEY", placeholder, value: SECRET, hosts: [keyHosts], isExposed }];
  return {
    inputJson: JSON.stringify(addresses),
    isolation,
    // Long enough for other limits to apply first on a busy machine.
    limits: { ...LIMITS, wallMs: 45_000, ...limits },
    credentials: keyHosts === undefined ? {} : { KEY: isExposed ? SECRET : placeholder },
    egress: reach(allowedHosts, {
      privateHosts: privateHosts ?? [addresses["witness"] ?? "", addresses["other"] ?? ""],
      secrets,
      limits: { ...EGRESS_LIMITS, ...attempt.egress },
    }),
  };
}
