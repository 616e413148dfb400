import type { InnkeepErrorCode } from '../errors.ts';

/** How much harm a second execution of a call would do. */
export type CallClass =
  /** Obtains an access token. */
  | 'login'
  /** Changes nothing: `paystatus`, `transaction`. */
  | 'read'
  /** Makes a request to which nobody was sent yet: `initpayNoIframe`, `initCreateTokenNoIframe`, and `call`. */
  | 'prepare'
  /** Moves money or makes a token: `pay`, `reversal`, `createToken`. */
  | 'money';

/** Every result of sending a call, besides an accepted answer. */
export type Evidence =
  /** The runtime proves that no connection was made. */
  | 'not_sent'
  /** The connection broke, or the runtime does not say what happened. */
  | 'connection_lost'
  | 'timed_out'
  | 'aborted'
  /** 401: the access token was refused before anything was done. */
  | 'unauthorized'
  /** 403. */
  | 'forbidden'
  /** Any 3xx; none is followed. */
  | 'redirected'
  /** 408 or 429. */
  | 'throttled'
  /** Any other 4xx, and statuses that do not exist. */
  | 'rejected'
  /** A status with which the upstream refuses money calls, and nothing in the answer hints at an execution. */
  | 'refused'
  /** Any 5xx. */
  | 'server_failed'
  /** A success status with a body that is not the documented answer. */
  | 'unreadable'
  /** A readable `returnCode` other than 0. */
  | 'declined'
  /** The same beside a transaction id, or with a code that does not say whether the call was executed. */
  | 'declined_in_doubt';

/** What a piece of evidence means for the caller. */
export interface OutcomeRule {
  /** Code of the error to throw; `aborted` passes the signal's reason through. */
  readonly code: InnkeepErrorCode | 'aborted';
  /** Send again first: after a growing pause, or once with a new access token. */
  readonly again?: 'backoff' | 'new_token';
}

const PREPARE: Readonly<Record<Evidence, OutcomeRule>> = {
  not_sent: { code: 'network' },
  connection_lost: { code: 'network' },
  timed_out: { code: 'timeout' },
  aborted: { code: 'aborted' },
  unauthorized: { code: 'authentication_failed', again: 'new_token' },
  forbidden: { code: 'upstream_status' },
  redirected: { code: 'upstream_status' },
  throttled: { code: 'upstream_status' },
  rejected: { code: 'upstream_status' },
  refused: { code: 'upstream_status' },
  server_failed: { code: 'upstream_status' },
  unreadable: { code: 'invalid_response' },
  declined: { code: 'declined' },
  declined_in_doubt: { code: 'declined' },
};

const READ: Readonly<Record<Evidence, OutcomeRule>> = {
  ...PREPARE,
  not_sent: { code: 'network', again: 'backoff' },
  connection_lost: { code: 'network', again: 'backoff' },
  throttled: { code: 'upstream_status', again: 'backoff' },
  server_failed: { code: 'upstream_status', again: 'backoff' },
};

/**
 * The one place that says what an outcome means. For money, only proof that nothing was executed gives an error that
 * invites another try; everything else is `outcome_unknown`, and nothing is ever sent again automatically.
 */
export const OUTCOME_RULES: Readonly<Record<CallClass, Readonly<Record<Evidence, OutcomeRule>>>> = {
  login: {
    ...READ,
    unauthorized: { code: 'authentication_failed' },
    forbidden: { code: 'authentication_failed' },
  },
  read: READ,
  prepare: PREPARE,
  money: {
    not_sent: { code: 'network' },
    connection_lost: { code: 'outcome_unknown' },
    timed_out: { code: 'outcome_unknown' },
    aborted: { code: 'outcome_unknown' },
    unauthorized: { code: 'authentication_failed', again: 'new_token' },
    forbidden: { code: 'upstream_status' },
    redirected: { code: 'outcome_unknown' },
    throttled: { code: 'outcome_unknown' },
    rejected: { code: 'outcome_unknown' },
    refused: { code: 'upstream_status' },
    server_failed: { code: 'outcome_unknown' },
    unreadable: { code: 'outcome_unknown' },
    declined: { code: 'declined' },
    declined_in_doubt: { code: 'outcome_unknown' },
  },
};

/** What a status other than success proves. */
export function evidenceOfStatus(status: number): Evidence {
  if (status === 401) return 'unauthorized';
  if (status === 403) return 'forbidden';
  if (status === 408 || status === 429) return 'throttled';
  // Browsers report a redirect that they did not follow as status 0.
  if (status === 0 || (status >= 300 && status < 400)) return 'redirected';
  return status >= 500 && status < 600 ? 'server_failed' : 'rejected';
}
