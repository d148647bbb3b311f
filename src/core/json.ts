/** A value as JSON carries it: what crews take as inputs and give as results. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/** The inputs of an execution by name, with the JSON types that the crew expects. */
export type Inputs = Record<string, Json>;
