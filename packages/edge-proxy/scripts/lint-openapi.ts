/** Lints the built `dist/assets/openapi.json` with a public linter's strictest ruleset. Prints what is wrong and fails if anything is. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createConfig, lintFromString } from '@redocly/openapi-core';

const source = readFileSync(join(import.meta.dirname, '../dist/assets/openapi.json'), 'utf8');
const config = await createConfig({ extends: ['recommended-strict'] });
const problems = await lintFromString({ source, absoluteRef: 'openapi.json', config });
for (const { ruleId, message, location } of problems)
  console.log(`${ruleId}: ${message} (${location[0]?.pointer ?? ''})`);
console.log(`${problems.length} problems`);
process.exitCode = problems.length === 0 ? 0 : 1;
