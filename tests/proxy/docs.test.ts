import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { sessionDiagram } from '../../packages/edge-proxy/src/policy/session-machine.ts';

test('the diagram of a session’s states in the docs is the table’s', () => {
  const document = readFileSync(
    fileURLToPath(new URL('../../packages/edge-proxy/docs/session-states.md', import.meta.url)),
    'utf8',
  );
  expect(document).toContain(`\`\`\`mermaid\n${sessionDiagram()}\`\`\``);
});
