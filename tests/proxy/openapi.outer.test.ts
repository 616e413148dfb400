import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../../scripts/launch.ts';
import { importTool } from '../support/toolbox.ts';

/** What is used of Redocly's linter. */
interface Linter {
  createConfig(config: object): Promise<object>;
  lintFromString(options: { source: string; absoluteRef: string; config: object }): Promise<readonly object[]>;
}

test.each(['assets/openapi.json', 'assets/openapi-platform.json', 'assets-moto/openapi.json'])(
  '%s is clean for a public linter’s strictest rules',
  async (file) => {
    // The package, whose types are not in this workspace.
    const { createConfig, lintFromString } = (await importTool(
      'tests/openapi/tools',
      '@redocly/openapi-core',
    )) as Linter;
    // `by-key/{key}` could be `{id}/link` to a reader who does not know that no id is called by-key: each begins with `cs_`.
    const config = await createConfig({ extends: ['recommended-strict'], rules: { 'no-ambiguous-paths': 'off' } });
    const source = readFileSync(join(ROOT, 'packages/edge-proxy/dist', file), 'utf8');
    expect(await lintFromString({ source, absoluteRef: file, config })).toEqual([]);
  },
);
