import type { CheckedInputs, TaskDescription } from './crew-description.ts';
import type { Json, JsonObject } from './json.ts';
import type { TaskContext } from './task-definition.ts';

/** What the code of a task is given before the crew's definition gives it its types. */
export type UntypedContext = TaskContext<JsonObject, JsonObject> & {
  /** The inputs as the crew's schema made them; see `CheckedInputs`. */
  readonly typedInputs?: string | undefined;
};

export type Task = Omit<TaskDescription, 'finishes'> & {
  readonly when?: (context: UntypedContext) => Promise<boolean> | boolean;
  readonly run: (context: UntypedContext) => Promise<Json> | Json;
  readonly whenApproved?: (output: Json, context: UntypedContext) => Promise<Json> | Json;
};

/** A crew made of functions; `defineCrew` makes one. */
export interface Crew {
  readonly kind: 'coded';
  readonly name: string;
  readonly inputNames: readonly string[];
  readonly tasks: readonly Task[];
  checkInputs(inputs: JsonObject): Promise<CheckedInputs>;
}
