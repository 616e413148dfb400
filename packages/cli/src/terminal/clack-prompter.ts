import { confirm, type Option, password, select, text } from '@clack/prompts';
import { interrupted } from '../failures/cli-error.ts';
import type { Prompter, Question } from '../process/io.ts';

/** Asks on the terminal, on standard error: standard output is for data. The only file that knows the prompt library. */
export function createClackPrompter(output: NodeJS.WriteStream, stopping: AbortSignal): Prompter {
  return {
    text: async ({ message, placeholder = '', initial = '', validate }) => {
      const options = { message, placeholder, initialValue: initial, validate: validateWith(validate), output };
      return (await answered(stopping, (signal) => text({ ...options, signal }))).trim();
    },
    secret: ({ message, validate }) =>
      answered(stopping, (signal) => password({ message, validate: validateWith(validate), output, signal })),
    confirm: (message) => answered(stopping, (signal) => confirm({ message, initialValue: false, output, signal })),
    choose: async <Value extends string>(message: string, choices: readonly { value: Value; label: string }[]) => {
      // The library's option type is conditional, so TypeScript cannot see that a string value fits it.
      const options = choices.map(({ value, label }) => ({ value, label })) as unknown as Option<Value>[];
      return (await answered(stopping, (signal) => select<Value>({ message, options, output, signal }))) as Value;
    },
  };
}

function validateWith(validate: Question['validate']): (value: string | undefined) => string | undefined {
  return (value) => validate?.((value ?? '').trim());
}

/** The answer to a question, which the library closes when its signal aborts. @throws `interrupted` */
async function answered<Value>(
  stopping: AbortSignal,
  ask: (signal: AbortSignal) => Promise<Value>,
): Promise<Exclude<Value, symbol>> {
  const closing = new AbortController();
  const close = (): void => closing.abort();
  stopping.addEventListener('abort', close);
  // Ctrl-D ends the input. The library does not notice, and nothing else can happen any more.
  process.once('beforeExit', close);
  try {
    if (stopping.aborted) throw interrupted();
    const answer = await ask(closing.signal);
    if (typeof answer === 'symbol') throw interrupted();
    // The library's only symbol is the one for a canceled prompt.
    return answer as Exclude<Value, symbol>;
  } finally {
    stopping.removeEventListener('abort', close);
    process.off('beforeExit', close);
  }
}
