/** The Home tabs of people. No method throws. */
export interface HomeTab {
  /**
   * Shows a person their Home as it is now. The metadata of the view that they see says what they look at, and `change` what
   * they want to look at instead: of what they already want but don't see yet, it changes that.
   */
  show(personId: string, metadata: string, change?: (metadata: string) => string): Promise<void>;
  /** Shows it anew to a person who may be looking at it: they have changed something of their own. */
  showAgain(personId: string): void;
  /** This process has changed something that Homes may show. */
  hasten(): void;
}
