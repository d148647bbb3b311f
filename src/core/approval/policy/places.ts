/** The settings that make up a policy and what belongs to it, as the crews file names them. */
export type PolicySetting =
  | 'approvers'
  | 'quorum'
  | 'self_approval'
  | 'guests'
  | 'undo'
  | 'min_review'
  | 'remind_after'
  | 'escalate_after'
  | 'escalate_to'
  | 'expire_after'
  | 'on_expiry'
  | 'expiry_text'
  | 'hours'
  | 'require_user_token'
  | 'starters'
  | 'started_elsewhere';

/** Where a setting stands: in a line of a file, or in a variable, which has no line. */
interface SettingPlace {
  source: string;
  line: number | null;
}

/** Where the settings of a crew stand, by their path within the crew, such as `approval.tasks.0.quorum`; not those left out. */
export type PolicyPlaces = ReadonlyMap<string, SettingPlace>;

/** Which of a crew's policies is meant: its place among those of tasks, or null for the usual one. */
type TaskIndex = number | null;

/** Where settings stand together: all settings of a crew stand in one file. */
export interface Place {
  source: string;
  /** Empty for a variable. */
  lines: readonly number[];
}

/** Where settings stand that apply to a task. Null where all of them are left out. */
export function placeOf(
  places: PolicyPlaces,
  settings: readonly (PolicySetting | 'match')[],
  task: TaskIndex,
): Place | null {
  const found = settings.flatMap((setting) => {
    const own = task === null ? undefined : places.get(`approval.tasks.${task}.${setting}`);
    return own ?? places.get(`approval.${setting}`) ?? places.get(setting) ?? [];
  });
  const [first] = found;
  if (first === undefined) return null;
  const lines = found.flatMap(({ line }) => line ?? []);
  return { source: first.source, lines: [...new Set(lines)] };
}
