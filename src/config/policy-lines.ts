import { z } from 'zod';
import type { YamlFile } from './yaml-file.ts';

const MAP = z.record(z.string(), z.unknown()).catch({});
const LIST = z.array(MAP).catch([]);

/** The lines of the settings of a crew, by their path within it: `approval.tasks.0.quorum`. */
export type SettingLines = ReadonlyMap<string, number>;

/** Of each crew in a file, in their order. */
export function policyLines({ content, lineOf }: Pick<YamlFile, 'content' | 'lineOf'>): SettingLines[] {
  return LIST.parse(MAP.parse(content).crews).map(
    (crew, i) => new Map(pathsIn(crew).map((path) => [path.join('.'), lineOf(['crews', i, ...path])])),
  );
}

/** All settings of a crew, but of maps and lists only those of its approval. */
function pathsIn(crew: Record<string, unknown>): (string | number)[][] {
  const approval = MAP.parse(crew.approval);
  const tasks = LIST.parse(approval.tasks).flatMap((task, i) =>
    Object.keys(task).map((key) => ['approval', 'tasks', i, key]),
  );
  return [...Object.keys(crew).map((key) => [key]), ...Object.keys(approval).map((key) => ['approval', key]), ...tasks];
}
