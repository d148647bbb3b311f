/** Returns the words of anything that was thrown: crews may throw anything. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message || error.name : String(error);
}
