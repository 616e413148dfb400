/** What a clerk may have to be told about a call that did not work: a code, never what was sent. */
export class DeskFault extends Error {
  override readonly name = 'DeskFault';
  /** Code of the proxy, or one of the client's own: `network`, `timeout`, `invalid_response`, `secret_failed`, `configuration`. */
  declare readonly code: string;
  /** HTTP status; 0 when nothing answered. */
  declare readonly status: number;
  /** Id of what the refusal is about. */
  declare readonly resource: string | undefined;
  /** Field that was refused. */
  declare readonly param: string | undefined;
  /** Seconds to wait before another try. */
  declare readonly retryAfterSeconds: number | undefined;
  /** Id under which the proxy logged the call. */
  declare readonly traceId: string | undefined;

  constructor(
    code: string,
    details: Partial<Pick<DeskFault, 'status' | 'resource' | 'param' | 'retryAfterSeconds' | 'traceId'>> = {},
  ) {
    super(code);
    Object.assign(this, { status: 0, ...details, code });
  }

  /** Whether it passes by itself, so that it is worth asking again. */
  get passes(): boolean {
    if (this.status === 0) return this.code !== 'configuration';
    return this.status === 429 || this.status >= 500;
  }

  /** Whether the person has to sign in again. */
  get isSignedOut(): boolean {
    return this.status === 401 || this.code === 'secret_failed';
  }

  /** Whether nobody can say what became of a call that changes something: the same call with its key asks again. */
  get isOutcomeOpen(): boolean {
    if (this.status === 0) return !['configuration', 'secret_failed'].includes(this.code);
    if (this.code === 'idempotency_in_progress') return true;
    return this.status >= 500 && !['upstream_unavailable', 'property_unavailable', 'ledger_full'].includes(this.code);
  }
}

/** Any failure as a {@link DeskFault}. */
export function faultOf(error: unknown): DeskFault {
  return error instanceof DeskFault ? error : new DeskFault('internal');
}
