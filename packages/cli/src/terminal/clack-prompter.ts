import { confirm, type Option, password, select, text } from '@clack/prompts';
import { interrupted } from '../failures/cli-error.ts';
import type { Prompter, Question } from '../process/io.ts';

/** Asks on the terminal, on standard error: standard output is for data. The only file that knows the prompt library. */
export function createClackPrompter(output: NodeJS.WriteStream): Prompter {
  return {
    text: async ({ message, placeholder = '', initial = '', validate }) =>
      answered(
        await text({ message, placeholder, initialValue: initial, validate: validateWith(validate), output }),
      ).trim(),
    secret: async ({ message, validate }) =>
      answered(await password({ message, validate: validateWith(validate), output })),
    confirm: async (message) => answered(await confirm({ message, initialValue: false, output })),
    choose: async <Value extends string>(message: string, choices: readonly { value: Value; label: string }[]) => {
      // The library's option type is conditional, so TypeScript cannot see that a string value fits it.
      const options = choices.map(({ value, label }) => ({ value, label })) as unknown as Option<Value>[];
      return answered(await select<Value>({ message, options, output })) as Value;
    },
  };
}

function validateWith(validate: Question['validate']): (value: string | undefined) => string | undefined {
  return (value) => validate?.((value ?? '').trim());
}

function answered<Value>(answer: Value): Exclude<Value, symbol> {
  if (typeof answer === 'symbol') throw interrupted();
  // The library's only symbol is the one for a canceled prompt.
  return answer as Exclude<Value, symbol>;
}
