#!/usr/bin/env node
// Committed, unlike dist/: package managers link a bin at install time, and only when it is there.
import { main } from '../dist/runtime/serve-command-line.js';

await main(process.argv.slice(2));
