/** What a schema wants, in words for whoever wrote the value. */

/** What the schema library says about a value that is wrong. Its own message quotes the value, which may be a secret. */
export interface RuleIssue {
  /** Name of the rule. */
  readonly type?: string;
  /** Bound of the rule. */
  readonly requirement?: unknown;
  /** In the words of a type, made of the schema alone. */
  readonly expected?: string | null;
}

const KINDS: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  boolean: 'true or false',
  Object: 'an object',
  Array: 'a list',
};

/** What comes behind “must” for a rule that has no sentence of its own. */
export function ruleInWords({ type, requirement, expected }: RuleIssue): string {
  if (type === 'max_length') return `have at most ${requirement} characters`;
  if (type === 'min_length') return 'not be empty';
  if (type === 'min_value') return `be at least ${requirement}`;
  if (type === 'max_value') return `be at most ${requirement}`;
  if (type === 'integer' || type === 'safe_integer') return 'be a whole number';
  const choices = expected?.replaceAll(/[()]/g, '').split(' | ') ?? ['something else'];
  return `be ${choices.map((each) => KINDS[each] ?? each.replaceAll('"', '')).join(' or ')}`;
}
