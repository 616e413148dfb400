import type { Io, Prompter, Question } from '../src/process/io.ts';

/** An {@link Io} in memory, and what was written to it. */
export interface FakeIo extends Io {
  stdout(): string;
  stderr(): string;
  /** Every question that was asked. */
  readonly questions: readonly string[];
}

/** Answers by a part of the question; an answer that the question refuses is an error. */
export type Answers = Readonly<Record<string, string | boolean>>;

/** Makes an Io. With `answers` somebody sits at the terminal. */
export function fakeIo(options: Partial<Io> & { readonly answers?: Answers } = {}): FakeIo {
  const { answers, ...overrides } = options;
  let stdout = '';
  let stderr = '';
  const questions: string[] = [];
  return {
    env: {},
    cwd: '.',
    readStdin: async () => new Uint8Array(),
    writeOut: async (data) => {
      stdout += typeof data === 'string' ? data : new TextDecoder().decode(data);
    },
    writeErr: async (text) => {
      stderr += text;
    },
    warn: async (text) => {
      stderr += `Warning: ${text}\n`;
    },
    prompter: answers === undefined ? undefined : fakePrompter(answers, questions),
    now: () => new Date('2026-06-01T12:00:00Z'),
    randomBytes: (length) => new Uint8Array(length).fill(7),
    fetch: async () => {
      throw new Error('No network in this test.');
    },
    signal: new AbortController().signal,
    ...overrides,
    stdout: () => stdout,
    stderr: () => stderr,
    questions,
  };
}

function fakePrompter(answers: Answers, questions: string[]): Prompter {
  const answer = (message: string): string | boolean => {
    questions.push(message);
    const [, value] = Object.entries(answers).find(([part]) => message.includes(part)) ?? [];
    if (value === undefined) throw new Error(`Nobody answers “${message}”.`);
    return value;
  };
  const text = async ({ message, validate }: Question): Promise<string> => {
    const value = String(answer(message));
    const wrong = validate?.(value);
    if (wrong !== undefined) throw new Error(`“${message}” refuses the answer: ${wrong}`);
    return value;
  };
  return {
    text,
    secret: text,
    confirm: async (message) => answer(message) === true,
    choose: async (message, choices) => {
      const value = answer(message);
      const found = choices.find((choice) => choice.value === value);
      if (found === undefined) throw new Error(`“${message}” has no choice ${value}.`);
      return found.value;
    },
  };
}
