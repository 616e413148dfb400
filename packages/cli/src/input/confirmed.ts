import { interrupted } from '../failures/cli-error.ts';
import type { Io } from '../process/io.ts';

/** Asks before something that cannot be taken back; a script is not asked. @throws `interrupted` with the refusal */
export async function confirmed({ prompter }: Io, question: string, refusal = 'Nothing was changed.'): Promise<void> {
  if (prompter === undefined || (await prompter.confirm(question))) return;
  throw interrupted(refusal);
}
