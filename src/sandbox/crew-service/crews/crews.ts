import type { Crew } from '../crew.ts';
import { incidentReportCrew } from './incident-report.ts';
import { releaseNotesCrew } from './release-notes.ts';

export type ExampleCrewsOptions = {
  /** Where release notes are published. */
  readonly outputFolder: string;
  /** The minimum duration of each task, so that a person can watch. Default 0. */
  readonly taskDelayMs?: number;
};

/** The two example crews. */
export function crews({ outputFolder, taskDelayMs = 0 }: ExampleCrewsOptions): readonly Crew[] {
  return [releaseNotesCrew({ outputFolder, taskDelayMs }), incidentReportCrew({ taskDelayMs })];
}
