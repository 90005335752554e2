import type { Json } from "../json.ts";

export type FieldPlace = "path" | "query" | "header" | "body" | "file" | "whole";

/** A value of the request that can become a field of the tool's input, or stay as it is. */
export type RequestField = {
  id: string;
  place: FieldPlace;
  /** The name that the API uses, or for a path its placeholder. Empty for a whole body. */
  name: string;
  /** The value in the command; undefined if that is a placeholder or a file. */
  sample: Json | undefined;
  /** Whether it becomes an input unless the user decides otherwise. */
  isInput: boolean;
  /** There is no value that could stay. */
  isAlwaysInput: boolean;
};
