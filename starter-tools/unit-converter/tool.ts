import { convert, getMeasureKind, type Unit } from "convert";

type Input = { value: number; from: string; to: string; digits?: number };
type Output = { result: number; text: string };

/** Names of rates that people write as one word. */
const aliases: ReadonlyMap<string, string> = new Map([
  ["mph", "mi/h"],
  ["kph", "km/h"],
  ["kmh", "km/h"],
  ["fps", "ft/s"],
  ["mbps", "megabits/s"],
  ["gbps", "gigabits/s"],
  ["knot", "nautical miles/h"],
  ["knots", "nautical miles/h"],
]);

/** Converts a value between units, or between rates such as "km/h" and "m/s". */
export default async function unitConverter(input: Input): Promise<Output> {
  const { value, from, to, digits = 12 } = input;
  const [fromUnit, fromPer] = parseUnit(from);
  const [toUnit, toPer] = parseUnit(to);
  if ((fromPer === undefined) !== (toPer === undefined)) throw mismatch(from, to);

  let exact = convertValue(value, fromUnit, toUnit, mismatch(from, to));
  if (fromPer !== undefined && toPer !== undefined) {
    exact /= convertValue(1, fromPer, toPer, mismatch(from, to));
  }
  // Rounding hides the noise of binary fractions: 67.99999999999994 is 68.
  const result = Number(exact.toPrecision(digits));
  return { result, text: `${value} ${from} = ${result} ${to}` };
}

function parseUnit(text: string): [Unit, Unit | undefined] {
  const name = text.trim();
  const [unit = "", per, ...rest] = (aliases.get(name.toLowerCase()) ?? name).split("/");
  if (rest.length > 0)
    throw new Error(`"${text}" has more than one "/". Use at most one, as in "km/h".`);
  return [checkedUnit(unit.trim()), per === undefined ? undefined : checkedUnit(per.trim())];
}

function checkedUnit(name: string): Unit {
  if (isUnit(name)) return name;
  // "Celsius" and "KM" are clear, but "mW" and "MW" differ: the exact spelling takes precedence.
  const lowerCase = name.toLowerCase();
  if (isUnit(lowerCase)) return lowerCase;
  throw new Error(
    `"${name}" is not a known unit. Use a name or symbol such as "km", "miles", "lb", "celsius", ` +
      '"gallon", "kWh" or "GiB"; symbols are case-sensitive.',
  );
}

function isUnit(name: string): name is Unit {
  return getMeasureKind(name) !== undefined;
}

function convertValue(value: number, from: Unit, to: Unit, problem: Error): number {
  if (getMeasureKind(from) !== getMeasureKind(to)) throw problem;
  return convert(value, from).to(to);
}

function mismatch(from: string, to: string): Error {
  return new Error(
    `"${from}" and "${to}" do not measure the same quantity. Use two units of the same kind.`,
  );
}
