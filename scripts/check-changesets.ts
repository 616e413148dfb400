// Prevents: a change that users can notice and that no changelog tells them about. Compares with the branch it will be merged into.
import { spawnSync } from 'node:child_process';

const exists = (ref: string): boolean => spawnSync('git', ['rev-parse', '--verify', '--quiet', ref]).status === 0;
const base = ['origin/main', 'main'].find(exists);
if (base === undefined) console.log('There is no main to compare with.');
else process.exitCode = spawnSync('changeset', ['status', '--since', base], { stdio: 'inherit' }).status ?? 1;
