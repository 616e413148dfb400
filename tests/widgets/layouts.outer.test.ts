// The same in every engine.
process.env.LAYOUT_ENGINES = 'all';
await import('./layouts.test.ts');
