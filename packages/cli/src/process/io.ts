/** Everything a command touches outside its own memory. Tests pass their own. */
export interface Io {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Folder that relative paths start from. */
  readonly cwd: string;
  /** Whole standard input. */
  readonly readStdin: () => Promise<Uint8Array>;
  /** Writes data. False: the reader has gone. */
  readonly writeOut: (data: string | Uint8Array) => Promise<unknown>;
  /** Writes messages. Resolves once they are out, so that an idempotency key is on the screen before its request is. */
  readonly writeErr: (text: string) => Promise<void>;
  /** Warns about something that does not stop the command. */
  readonly warn: (text: string) => Promise<void>;
  /** Somebody sits at the terminal and can be asked. Undefined in scripts. */
  readonly prompter: Prompter | undefined;
  readonly now: () => Date;
  /** Cryptographically secure. */
  readonly randomBytes: (length: number) => Uint8Array;
  readonly fetch: typeof fetch;
  /** Aborts when the command is to stop: by Ctrl-C, SIGTERM or SIGHUP. */
  readonly signal: AbortSignal;
}

export interface Question {
  readonly message: string;
  readonly placeholder?: string | undefined;
  /** Text that is there already. */
  readonly initial?: string | undefined;
  /** What is wrong with an answer; undefined when nothing is. */
  readonly validate?: ((answer: string) => string | undefined) | undefined;
}

/** Asks on the terminal. Every method throws `interrupted` when the user gives up. */
export interface Prompter {
  text(question: Question): Promise<string>;
  /** Nothing of the answer is shown. */
  secret(question: Question): Promise<string>;
  confirm(message: string): Promise<boolean>;
  choose<Value extends string>(
    message: string,
    choices: readonly { readonly value: Value; readonly label: string }[],
  ): Promise<Value>;
}
