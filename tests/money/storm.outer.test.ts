// The same storm, longer: every fault meets every behaviour many times.
process.env.STORM_RUNS ??= '1000';
await import('./storm.test.ts');
