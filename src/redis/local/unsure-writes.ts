/** Tells of changes that this process has made without learning whether they were stored. */
export class UnsureWrites {
  #onWrite: (ref: string) => void = () => {};

  listen(listener: (ref: string) => void): void {
    this.#onWrite = listener;
  }

  add(ref: string): void {
    this.#onWrite(ref);
  }
}
