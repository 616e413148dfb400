// The same with every canary in every field.
process.env.HOSTILE_UPSTREAM = 'all';
await import('./hostile-upstream.test.ts');
