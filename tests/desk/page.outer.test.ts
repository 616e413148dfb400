// The same in every engine.
process.env.DESK_ENGINES = 'all';
await import('./page.test.ts');
