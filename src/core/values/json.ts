/** A value that JSON can carry, such as the inputs and results of crews. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/** The inputs of an execution by name, with the JSON types that the crew expects. */
export type Inputs = Record<string, Json>;

/** Returns the value of a text; undefined if it isn't JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
