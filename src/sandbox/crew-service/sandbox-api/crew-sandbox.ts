import type { Executions } from '../executions/executions.ts';
import { currentTask, type FeedbackRequest, type Run } from '../executions/run.ts';
import type { Revocations } from '../http/access.ts';
import type { Json, JsonObject } from '../json.ts';
import type { Store } from '../redis/store.ts';
import type { Dashboard, GivenDashboard } from '../webhooks/dashboard.ts';
import type { FaultRule, Faults } from './faults.ts';
import type { Gates } from './gates.ts';
import type { RecordedRequest, RecordedWebhook, Records } from './records.ts';
import type { Script, Scripts } from './scripted-crew.ts';

/** The state of a run as a test sees it. */
export type RunSummary = {
  readonly kickoffId: string;
  readonly executionId: string;
  readonly crew: string;
  readonly status: Run['status'];
  /** The task it is working on or waiting for; null once it has ended. */
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
  /** The result of a completed run, the error message of a failed one. */
  readonly outcome: Json;
};

/** A flow's request for feedback, as the dashboard shows it. */
export type FeedbackSummary = {
  readonly id: string;
  readonly crew: string;
  readonly kickoffId: string;
  readonly method: string;
  readonly message: string;
  readonly outcomes: readonly string[];
  readonly output: Json;
  /** null while it waits. */
  readonly answer: {
    readonly feedback: string;
    readonly outcome: string | null;
    readonly via: 'dashboard' | 'callback';
    readonly source: string | null;
    readonly at: number;
  } | null;
};

/**
 * Tests control and inspect the service with it, from the same process (`startCrewService`) or another one
 * (`connectCrewSandbox`).
 */
export interface CrewSandbox {
  /** Sets the script for runs of a scripted crew that start from now on. */
  setScript(crew: string, tasks: Script): Promise<void>;
  /** Lets everything through that waits at the gate, until it is shut. */
  openGate(gate: string): Promise<void>;
  shutGate(gate: string): Promise<void>;
  /** Answers every later request with this user token with 401, also after a restart. */
  revokeUserToken(token: string): Promise<void>;
  /** The webhook that tells of requests for feedback from now on, also after a restart; null for none. */
  setDashboard(settings: GivenDashboard | null): Promise<void>;
  /** Resolves to the questions of flows to people, oldest first: those of the latest 1,000 runs. */
  feedbackRequests(): Promise<readonly FeedbackSummary[]>;
  /** Answers a request as a person does in the dashboard. Rejects if there is no such request, or it has an answer. */
  answerInDashboard(requestId: string, feedback: string): Promise<void>;
  addFault(rule: FaultRule): Promise<void>;
  clearFaults(): Promise<void>;
  /** All requests to crew routes since the start or `clearRecords`, oldest first, including those in progress. */
  requests(): Promise<readonly RecordedRequest[]>;
  webhooks(): Promise<readonly RecordedWebhook[]>;
  clearRecords(): Promise<void>;
  /** The latest 1,000 runs, newest first. */
  runs(): Promise<readonly RunSummary[]>;
}

type SandboxParts = {
  readonly scripts: Scripts;
  readonly gates: Gates;
  readonly faults: Faults;
  readonly records: Records;
  readonly revocations: Revocations;
  readonly store: Store;
  readonly dashboard: Dashboard;
  readonly executions: Executions;
};

const SHOWN_RUNS = 1_000;

export function createCrewSandbox(parts: SandboxParts): CrewSandbox {
  const { scripts, gates, faults, records, revocations, store, dashboard, executions } = parts;

  async function latestRuns(): Promise<Run[]> {
    const ids = await store.recentIds(SHOWN_RUNS);
    const runs = await Promise.all(ids.map((id) => store.load(id)));
    return runs.filter((run) => run !== undefined);
  }

  return {
    setScript: (crew, tasks) => scripts.set(crew, tasks),
    openGate: (gate) => gates.open(gate),
    shutGate: (gate) => gates.shut(gate),
    revokeUserToken: (token) => revocations.revoke(token),
    addFault: async (rule) => faults.add(rule),
    clearFaults: async () => faults.clear(),
    requests: async () => records.requests(),
    webhooks: async () => records.webhooks(),
    clearRecords: async () => records.clear(),
    setDashboard: (settings) => dashboard.set(settings),
    async feedbackRequests() {
      const requests = (await latestRuns()).flatMap((run) => (run.requests ?? []).map((request) => ({ run, request })));
      return requests.sort((one, other) => one.request.createdAt - other.request.createdAt).map(summaryOfRequest);
    },
    async answerInDashboard(requestId, feedback) {
      const waits = (await executions.askedIn(requestId)) !== undefined;
      const answer = { feedback, via: 'dashboard', source: null } as const;
      if (!waits || !(await executions.answer(requestId, answer)).taken)
        throw new NothingToAnswer(`No request for feedback waits with the id ${requestId}.`);
    },
    runs: async () => (await latestRuns()).map(summaryOf),
  };
}

/** There is no such request, or it has an answer. */
export class NothingToAnswer extends Error {}

type Asked = { readonly run: Run; readonly request: FeedbackRequest };

function summaryOfRequest({ run, request }: Asked): FeedbackSummary {
  const { id, method, message, outcomes, output, answer } = request;
  const { feedback = '', outcome = null, via = 'callback', source = null, at = 0 } = answer ?? {};
  return {
    ...{ id, crew: run.crew, kickoffId: run.id, method, message, outcomes, output },
    answer: answer ? { feedback, outcome, via, source, at } : null,
  };
}

function summaryOf(run: Run): RunSummary {
  const { id: kickoffId, executionId, crew, status, inputs } = run;
  const isActive = run.status === 'running' || run.status === 'waiting';
  const reviews = run.reviews.map(({ task, round, approved, text }) => ({ task, round, approved, text }));
  return {
    kickoffId,
    executionId,
    crew,
    status,
    task: isActive ? currentTask(run).name : null,
    taskId: isActive ? currentTask(run).id : null,
    round: isActive ? run.round : 0,
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
