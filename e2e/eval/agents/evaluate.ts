import type { EvalTask, EvalTool } from "./catalog.ts";
import type { CountedCall, CountingClient } from "./counting-client.ts";
import type { Agent } from "./scripted-agent.ts";

/** How an agent solved one task. */
export type TaskResult = {
  task: EvalTask;
  isRightTool: boolean;
  isRightAnswer: boolean;
  calls: readonly CountedCall[];
  error?: string;
};

type Setup = {
  client: CountingClient;
  agent: Agent;
  tasks: readonly EvalTask[];
  /** By the names that the service gave them. */
  tools: ReadonlyMap<string, EvalTool>;
};

/** Lets an agent solve the tasks one after another. */
export async function evaluate({ client, agent, tasks, tools }: Setup): Promise<TaskResult[]> {
  const results: TaskResult[] = [];
  for (const task of tasks) {
    client.reset();
    try {
      const { toolName = "", answer = "" } = await agent(client, task.words);
      const tool = tools.get(toolName);
      const isRightTool = tool !== undefined && task.fitting.includes(tool.key);
      const isRightAnswer = isRightTool && answer.includes(tool.answer);
      results.push({ task, isRightTool, isRightAnswer, calls: client.calls });
    } catch (error) {
      const failed = { isRightTool: false, isRightAnswer: false, calls: client.calls };
      results.push({ task, ...failed, error: String(error) });
    }
  }
  return results;
}

/** Figures of all tasks together. */
export function summarize(results: readonly TaskResult[]) {
  const calls = results.flatMap((result) => result.calls);
  const searches = calls.filter(({ tool }) => tool === "service_search_tools");
  const perTask = results.map((result) => sum(result.calls.map(tokensOf)));
  return {
    tasks: results.length,
    rightTools: results.filter(({ isRightTool }) => isRightTool).length,
    rightAnswers: results.filter(({ isRightAnswer }) => isRightAnswer).length,
    callsPerTask: calls.length / results.length,
    tokensPerTask: sum(perTask) / results.length,
    medianTokens:
      perTask.toSorted((one, other) => one - other)[Math.floor(perTask.length / 2)] ?? 0,
    tokensPerSearch: sum(searches.map(({ read }) => read)) / Math.max(1, searches.length),
    largestSearch: Math.max(0, ...searches.map(({ read }) => read)),
  };
}

function tokensOf({ written, read }: CountedCall): number {
  return written + read;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
