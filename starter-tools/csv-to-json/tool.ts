import Papa from "papaparse";

type Input = {
  csv: string;
  delimiter?: "auto" | "," | ";" | "\t" | "|";
  hasHeader?: boolean;
  convertValues?: boolean;
};

type Value = string | number | boolean | null;
type Row = Value[] | Record<string, Value>;
type Output = { rows: Row[]; columns: string[]; rowCount: number; warnings: string[] };

const maxWarnings = 20;

/** Parses CSV into rows. Broken quotes are an error; a row of the wrong width is returned with a warning. */
export default async function csvToJson(input: Input): Promise<Output> {
  const { csv, delimiter = "auto", hasHeader = true, convertValues = true } = input;
  const records = parse(csv, delimiter);
  const columns = hasHeader ? columnNames(records.shift() ?? []) : [];
  const convert = (value: string): Value => (convertValues ? toValue(value) : value);
  const width = hasHeader ? columns.length : (records[0]?.length ?? 0);

  const warnings = records.flatMap((record, index) =>
    record.length === width
      ? []
      : [`Row ${index + 1} has ${record.length} values, but ${width} were expected.`],
  );
  return {
    rows: records.map((record) => {
      const values = record.map(convert);
      return hasHeader ? toObject(columns, values) : values;
    }),
    columns,
    rowCount: records.length,
    warnings: warnings.slice(0, maxWarnings),
  };
}

function parse(csv: string, delimiter: string): string[][] {
  const parsed = Papa.parse<string[]>(csv.replace(/^\uFEFF/, ""), {
    delimiter: delimiter === "auto" ? "" : delimiter,
    skipEmptyLines: "greedy",
  });
  const broken = parsed.errors.find((error) => error.type === "Quotes");
  if (broken !== undefined) {
    throw new Error(
      `The quotes are broken near line ${(broken.row ?? 0) + 1}: ${broken.message}. ` +
        'Close every quoted value, and write a quote inside one as "".',
    );
  }
  return parsed.data;
}

/** Makes every name usable as a key: an empty one gets its position, a repeated one a number. */
function columnNames(header: string[]): string[] {
  const used = new Set<string>();
  return header.map((text, index) => {
    const base = text.trim() === "" ? `column${index + 1}` : text.trim();
    let name = base;
    for (let number = 2; used.has(name); number += 1) name = `${base}_${number}`;
    used.add(name);
    return name;
  });
}

/** Values beyond the header get the same names as unnamed columns. */
function toObject(columns: string[], values: Value[]): Record<string, Value> {
  // From entries, so that a column called "__proto__" is a key like any other.
  return Object.fromEntries(
    values.map((value, index) => [columns[index] ?? `column${index + 1}`, value]),
  );
}

/** Only text that converts back unchanged becomes a number: "007" and long IDs stay text. */
function toValue(text: string): Value {
  if (text === "") return null;
  if (/^(?:true|false)$/i.test(text)) return text.toLowerCase() === "true";
  const isNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(text) && text.length <= 15;
  return isNumber ? Number(text) : text;
}
