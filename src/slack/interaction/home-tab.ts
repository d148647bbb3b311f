/** The Home tabs of people. No method throws. */
export interface HomeTab {
  /** Shows a person their Home as it is now, as the metadata of the view says that they look at it; empty for all of it. */
  show(personId: string, metadata: string): Promise<void>;
  /** This process has changed something that Homes may show. */
  hasten(): void;
}
