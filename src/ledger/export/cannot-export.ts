/** Thrown if the ledger can't be exported as it should be. */
export class CannotExport extends Error {
  override name = 'CannotExport';
}
