// The same flood, much higher.
process.env.FLOOD_GUESSES = '10000';
await import('./flood.test.ts');
