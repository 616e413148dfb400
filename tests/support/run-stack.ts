// A process of its own for demo, proxy and sandbox, so that a test can read every line they print. Options come on standard input.
import { json } from 'node:stream/consumers';
import { type StackOptions, startStack } from '../../scripts/stack.ts';

const stack = await startStack((await json(process.stdin)) as StackOptions);
process.on('SIGTERM', async () => {
  await stack.close();
  process.exit(0);
});
console.log('stack is up');
