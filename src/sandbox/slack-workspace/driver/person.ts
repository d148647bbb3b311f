import { createActions, type DriverActions } from './actions.ts';
import type { WorkspaceClient } from './client.ts';
import { createQueries, type DriverQueries } from './queries.ts';

/** A workspace member driven by a test, able to do exactly what a person could. */
export type Person = { readonly id: string } & DriverQueries & DriverActions;

export function createPerson(client: WorkspaceClient, id: string): Person {
  const queries = createQueries(client, id);
  return { id, ...queries, ...createActions(client, id, queries) };
}
