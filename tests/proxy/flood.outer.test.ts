// The same flood, ten times as high.
process.env.FLOOD_GUESSES = '10000';
await import('./flood.test.ts');
