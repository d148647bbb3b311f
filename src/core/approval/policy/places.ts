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
  | 'starters';

/**
 * Where the settings of a crew stand, as people are told: `crews.yml, line 12`, or a variable. By their path within the crew,
 * such as `approval.tasks.0.quorum`. What is left out has no place.
 */
export type PolicyPlaces = ReadonlyMap<string, string>;

/** Which of a crew's policies is meant: its place among those of tasks, or null for the usual one. */
type TaskIndex = number | null;

/** Where settings stand that apply to a task: `crews.yml, lines 12, 13`. Null where all of them are left out. */
export function placeOf(
  places: PolicyPlaces,
  settings: readonly (PolicySetting | 'match')[],
  task: TaskIndex,
): string | null {
  const found = settings.map((setting) => {
    const own = task === null ? undefined : places.get(`approval.tasks.${task}.${setting}`);
    return own ?? places.get(`approval.${setting}`) ?? places.get(setting);
  });
  const [first, ...others] = new Set(found.filter((place) => place !== undefined));
  if (first === undefined) return null;
  if (others.length === 0) return first;
  // All settings of a crew stand in one file.
  return [first.replace(LINE, ', lines '), ...others.map((place) => place.replace(/.*, line /, ''))].join(', ');
}

const LINE = /, line (?=\d+$)/;
