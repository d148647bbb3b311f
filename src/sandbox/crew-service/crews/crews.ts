import type { Crew } from '../crew.ts';
import type { DialectName } from '../dialects/dialect.ts';
import { contentReviewFlow } from './content-review.ts';
import { incidentReportCrew } from './incident-report.ts';
import { releaseNotesCrew } from './release-notes.ts';

export type ExampleCrewsOptions = {
  /** The folder in which release notes are published. */
  readonly outputFolder: string;
  /** The minimum duration of each task, so that a person can watch. Default 0. */
  readonly taskDelayMs?: number;
  /** In which one they are served: only one has flows. Default `spec`. */
  readonly dialect?: DialectName;
};

/** The two example crews, and an example of a flow in the dialect that has flows. */
export function crews({ outputFolder, taskDelayMs = 0, dialect = 'spec' }: ExampleCrewsOptions): readonly Crew[] {
  const flows = dialect === 'flows' ? [contentReviewFlow({ taskDelayMs })] : [];
  return [releaseNotesCrew({ outputFolder, taskDelayMs }), incidentReportCrew({ taskDelayMs }), ...flows];
}
