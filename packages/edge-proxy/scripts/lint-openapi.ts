/** Lints the built OpenAPI documents with a public linter's strictest ruleset. Prints what is wrong and fails if anything is. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createConfig, lintFromString } from '@redocly/openapi-core';

const config = await createConfig({ extends: ['recommended-strict'] });
let count = 0;
for (const file of ['assets/openapi.json', 'assets/openapi-platform.json', 'assets-moto/openapi.json']) {
  const source = readFileSync(join(import.meta.dirname, '../dist', file), 'utf8');
  const problems = await lintFromString({ source, absoluteRef: file, config });
  for (const { ruleId, message, location } of problems)
    console.log(`${file}: ${ruleId}: ${message} (${location[0]?.pointer ?? ''})`);
  count += problems.length;
}
console.log(`${count} problems`);
process.exitCode = count === 0 ? 0 : 1;
