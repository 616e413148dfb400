// A process of its own for demo, proxy and sandbox, so that a test can read every line they print. Options are its argument.
import { type StackOptions, startStack } from '../../scripts/stack.ts';

const stack = await startStack(JSON.parse(process.argv[2] ?? '{}') as StackOptions);
process.on('SIGTERM', async () => {
  await stack.close();
  process.exit(0);
});
console.log('stack is up');
