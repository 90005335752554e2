import type { JsonObject } from "@toolhost/contract";
import type { ReactNode } from "react";

/** The props of a component that edits the fields of an object schema. */
export type FieldsProps = {
  schema: JsonObject;
  /** The path of the schema in the definition. */
  path: string;
  onChange: (schema: JsonObject) => void;
};

/** Edits the fields of an object schema. It is passed down, because fields may contain objects with fields of their own. */
export type Fields = (props: FieldsProps) => ReactNode;
