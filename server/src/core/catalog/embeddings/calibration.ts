import { cosine } from "./vector.ts";
import type { Vector } from "./vector.ts";

/**
 * Texts of tools for many purposes. How similar a query is to them shows which similarity means nothing for this model and
 * query, independently of the tools of any workspace.
 */
export const referenceTexts: readonly string[] = [
  "Weather forecast: tells the weather of the coming days for a city",
  "Send email: sends a message to recipients",
  "Convert currency: converts an amount between currencies",
  "Translate text: translates a text into another language",
  "Resize image: changes width and height of a picture",
  "Create invoice: bills a customer for items",
  "Search flights: finds flights between airports",
  "Book restaurant: reserves a table for a party",
  "Play music: plays a song or an album",
  "Set reminder: reminds of a task at a time",
  "Query database: runs a statement and returns rows",
  "Merge documents: joins several files into one",
  "Track parcel: tells where a shipment is",
  "Stock price: returns the price of a share",
  "Summarize article: shortens a long text",
  "Generate password: creates a random secret",
  "Check spelling: finds mistakes in a text",
  "Nutrition facts: lists calories and ingredients of food",
  "Football results: returns scores of matches of a league",
  "Movie details: returns cast and ratings of a film",
  "Map directions: plans a route between places",
  "Compress archive: packs files to save space",
  "Open ticket: reports a problem to support",
  "Deploy server: starts a machine in the cloud",
  "Draw chart: plots numbers as a graph",
  "Solve equation: finds the roots of a formula",
  "Patient record: returns diagnoses and medication",
  "Job offers: lists open positions of companies",
  "Property prices: estimates the value of a house",
  "Horoscope: tells the future of a star sign",
  "Recognize speech: writes down what is said in a recording",
  "Scan network: lists devices and open ports",
];

/** The texts that a query is most similar to may be about the same, so they do not count. */
const ignored = 4;
const minDeviation = 0.01;
/** A tool this many deviations above unrelated texts may be related, and one with as many more certainly is. */
const minDeviations = 2;
const certainDeviations = 3;

/** By how many standard deviations a similarity exceeds those of unrelated texts. */
export type Calibration = (similarity: number) => number;

/** Calibrates the similarities to a query by its similarity to the reference texts. */
export function calibrate(query: Vector, reference: readonly Vector[]): Calibration {
  const unrelated = reference
    .map((vector) => cosine(query, vector))
    .toSorted((one, other) => one - other)
    .slice(0, -ignored);
  const mean = sum(unrelated) / unrelated.length;
  const variance = sum(unrelated.map((value) => (value - mean) ** 2)) / unrelated.length;
  const deviation = Math.max(minDeviation, Math.sqrt(variance));
  return (similarity) => (similarity - mean) / deviation;
}

/** How related a tool is, from 0 to 1, by its deviations and those of the most similar tool. */
export function relatedness(deviations: number, max: number): number {
  const certainty = Math.min(1, (deviations - minDeviations) / certainDeviations);
  return certainty <= 0 ? 0 : certainty * (deviations / Math.max(deviations, max)) ** 3;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
