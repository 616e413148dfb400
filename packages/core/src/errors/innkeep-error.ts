/** The name under which an error of any copy of this module is known. */
export const BRAND = '@innkeep/error';

/** Base class of every error thrown by an Innkeep package. */
export class InnkeepError extends Error {
  /** Name of the class, which a minifier does not change. */
  override readonly name: string = 'InnkeepError';
  /** Stable, machine-readable kind of failure. */
  readonly code: string;

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    // A registered name survives a second copy of this module; instanceof does not.
    Object.defineProperty(this, BRAND, { value: true });
  }

  /** What is safe to log: every own detail except the cause and the stack. */
  toJSON(): Record<string, unknown> {
    // The cause and the stack are not enumerable, so they stay out.
    return { ...(this as object), message: this.message };
  }
}

/** An error whose class gives its code, in a field of its own. */
export abstract class KnownError extends InnkeepError {
  abstract override readonly code: string;

  constructor(message: string, options?: ErrorOptions) {
    super('', message, options);
  }
}

/** An error that names the wrong field, never its value. */
export abstract class PathError extends KnownError {
  readonly path: string;

  constructor(path: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.path = path;
  }
}

/** An error about the status of an answer. */
export abstract class StatusError extends KnownError {
  /** HTTP status; 0 when a browser hides the status of a redirect. */
  readonly status: number;

  constructor(message: string, status: number, options?: ErrorOptions) {
    super(message, options);
    this.status = status;
  }
}
