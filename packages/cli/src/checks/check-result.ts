/** How one check of a hotel's set-up ended. */
export interface CheckResult {
  /** Stable name, such as `login`. */
  readonly check: string;
  /** `problem` needs a fix; `advice` is for a person to judge; `skipped` could not be checked. */
  readonly status: 'ok' | 'problem' | 'advice' | 'skipped';
  readonly message: string;
  /** What to do about a problem, or how to make a skipped check run. */
  readonly fix?: string;
}

/** All is well. */
export function ok(check: string, message: string): CheckResult {
  return { check, status: 'ok', message };
}

/** Something is wrong, and this is the fix. */
export function problem(check: string, message: string, fix: string): CheckResult {
  return { check, status: 'problem', message, fix };
}

/** Not checked, and this is what to do so that it is. */
export function skipped(check: string, message: string, fix: string): CheckResult {
  return { check, status: 'skipped', message, fix };
}
