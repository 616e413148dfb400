// Builds the site into dist. Astro's own command would report what it builds to its makers.
import { join } from 'node:path';
import { build } from 'astro';

await build({ root: join(import.meta.dirname, '..'), logLevel: 'warn' });
