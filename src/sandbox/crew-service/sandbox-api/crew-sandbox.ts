import { currentTask, type Run } from '../executions/run.ts';
import type { Json, JsonObject } from '../json.ts';
import type { Store } from '../redis/store.ts';
import type { FaultRule, Faults } from './faults.ts';
import type { Stage } from './gates.ts';
import type { RecordedRequest, RecordedWebhook, Records } from './records.ts';
import type { Script } from './scripted-crew.ts';

/** Where a run stands, for a test that looks from outside. */
export type RunSummary = {
  readonly kickoffId: string;
  readonly executionId: string;
  readonly crew: string;
  readonly status: Run['status'];
  /** The task that it works on or waits for; null when it has ended. */
  readonly task: string | null;
  readonly taskId: string | null;
  readonly round: number;
  readonly inputs: JsonObject;
  readonly reviews: readonly {
    readonly task: string;
    readonly round: number;
    readonly approved: boolean;
    readonly text: string;
  }[];
  /** The result of a completed run, the message of a failed one. */
  readonly outcome: Json;
};

/**
 * What a test may say to the service and ask of it. The same in the process of the service (`startCrewService`) and from
 * another one (`connectCrewSandbox`).
 */
export interface CrewSandbox {
  /** The script of the runs of a scripted crew that start from now on. */
  setScript(crew: string, tasks: Script): Promise<void>;
  /** Lets everything through that waits at the gate, now and until it is shut. */
  openGate(gate: string): Promise<void>;
  shutGate(gate: string): Promise<void>;
  addFault(rule: FaultRule): Promise<void>;
  clearFaults(): Promise<void>;
  /** All requests at crew routes since the start or `clearRecords`, oldest first, those still under way too. */
  requests(): Promise<readonly RecordedRequest[]>;
  webhooks(): Promise<readonly RecordedWebhook[]>;
  clearRecords(): Promise<void>;
  /** The latest 1,000 runs, newest first. */
  runs(): Promise<readonly RunSummary[]>;
}

type SandboxParts = {
  readonly stage: Stage;
  readonly faults: Faults;
  readonly records: Records;
  readonly store: Store;
};

const SHOWN_RUNS = 1_000;

export function createCrewSandbox({ stage, faults, records, store }: SandboxParts): CrewSandbox {
  return {
    setScript: (crew, tasks) => stage.setScript(crew, tasks),
    openGate: (gate) => stage.open(gate),
    shutGate: (gate) => stage.shut(gate),
    addFault: async (rule) => faults.add(rule),
    clearFaults: async () => faults.clear(),
    requests: async () => records.requests(),
    webhooks: async () => records.webhooks(),
    clearRecords: async () => records.clear(),
    async runs() {
      const ids = await store.recentIds(SHOWN_RUNS);
      const runs = await Promise.all(ids.map((id) => store.load(id)));
      return runs.filter((run) => run !== undefined).map(summaryOf);
    },
  };
}

function summaryOf(run: Run): RunSummary {
  const { id: kickoffId, executionId, crew, status, inputs } = run;
  const open = run.status === 'running' || run.status === 'waiting';
  const reviews = run.reviews.map(({ task, round, approved, text }) => ({ task, round, approved, text }));
  return {
    kickoffId,
    executionId,
    crew,
    status,
    task: open ? currentTask(run).name : null,
    taskId: open ? currentTask(run).id : null,
    round: open ? run.round : 0,
    inputs,
    reviews,
    outcome: outcomeOf(run),
  };
}

function outcomeOf(run: Run): Json {
  switch (run.status) {
    case 'completed':
      return run.result;
    case 'failed':
      return run.error;
    case 'running':
    case 'waiting':
      return null;
  }
}
