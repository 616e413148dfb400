// The same, killed at more moments of each step.
process.env.KILL_POINTS = 'all';
await import('./kill.test.ts');
