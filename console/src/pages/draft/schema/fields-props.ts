import type { JsonObject } from "@toolhost/contract";
import type { ReactNode } from "react";

/** What shows the members of an object's schema is given. */
export type FieldsProps = {
  schema: JsonObject;
  /** Where in the definition the schema is. */
  place: string;
  onChange: (schema: JsonObject) => void;
};

/** Shows the members of an object's schema. Fields hold objects, which have fields: each is told how those are shown. */
export type Fields = (props: FieldsProps) => ReactNode;
