import { showToast } from "#components/toasts";
import { dependenciesOf, objectAt, textsAt } from "../definition/read-definition.ts";
import { useNewestPackages } from "../definition/use-newest-packages.ts";
import { useDraft } from "../draft-context.ts";
import { addUses } from "../infer/merge.ts";
import { infer } from "./language.ts";
import { messages as allMessages } from "./messages.ts";
import { missingMember } from "./missing-member.ts";
import { missingModule } from "./missing-module.ts";
import type { FindHelp, ProblemHelp } from "./problem-help.ts";

const messages = allMessages.problems;
const assumedSchema = { type: "string" };

/** Returns the fixes that change the definition of the draft. The compiler has those that change the code only. */
export function useProblemHelp(path: string): FindHelp {
  const addInput = useAddInput(path);
  const findPackageHelp = usePackageHelp();
  return (code, message) => {
    const member = missingMember(String(code), message);
    if (member === undefined) return findPackageHelp(code, message);
    return { fix: { title: messages.addInput(member), apply: () => addInput(member) } };
  };
}

/** Returns a function that adds a member to the input schema with the type that the code uses it as, or as text. */
function useAddInput(path: string): (name: string) => void {
  const { change, store } = useDraft();
  return (name) => {
    infer(path)
      .catch(() => undefined)
      .then((found) => {
        const uses = objectAt(objectAt(found?.inputSchema ?? {}, "properties"), name);
        const schema =
          found?.isInputFromUses === true && uses["type"] !== undefined ? uses : assumedSchema;
        const required = textsAt(found?.inputSchema ?? {}, "required").includes(name);
        const { definition: latest } = store.getState();
        const added = { properties: { [name]: schema }, ...(required ? { required: [name] } : {}) };
        change({ inputSchema: addUses(objectAt(latest, "inputSchema"), added) });
        showToast(messages.inputAdded(name));
      })
      .catch(() => undefined);
  };
}

/** Returns a function that finds the help for imports of modules that do not exist. */
function usePackageHelp(): FindHelp {
  const { definition } = useDraft();
  const { add, isAdding, errorOf } = useNewestPackages();
  return (code, message): ProblemHelp | undefined => {
    const missing = missingModule(code, message);
    if (missing === undefined) return undefined;
    if ("nodeModule" in missing) return { note: messages.noNodeModule(missing.nodeModule) };
    const { packageName: name } = missing;
    if (Object.hasOwn(dependenciesOf(definition), name)) return undefined;
    const title = isAdding(name) ? messages.addingPackage(name) : messages.addPackage(name);
    return { fix: { title, apply: () => add(name) }, error: errorOf(name) };
  };
}
