/** A mistake in a file; the message follows the name of the setting. */
export interface Mistake {
  path: PropertyKey[];
  message: string;
}
