import { incidentReportCrew } from './crews/incident-report/crew.ts';
import { releaseNotesCrew } from './crews/release-notes/crew.ts';
import type { Crew } from './define-crew.ts';

type ExampleCrewsOptions = {
  /** Where release notes are published. */
  readonly outputFolder: string;
  /** With `OPENAI_BASE_URL` and `OPENAI_API_KEY`, that OpenAI-compatible server drafts the release notes. */
  readonly env: NodeJS.ProcessEnv;
  /** The minimum duration of each task, so that a person can watch. Default 0. */
  readonly taskDelayMs?: number;
};

export function exampleCrews({ outputFolder, env, taskDelayMs = 0 }: ExampleCrewsOptions): readonly Crew[] {
  const { OPENAI_BASE_URL: baseUrl, OPENAI_API_KEY: apiKey, OPENAI_MODEL: name = 'gpt-4o-mini' } = env;
  const model = baseUrl && apiKey ? { baseUrl, apiKey, name } : undefined;
  return [releaseNotesCrew({ outputFolder, model, taskDelayMs }), incidentReportCrew({ taskDelayMs })];
}
