// The same, many more.
process.env.WORKERD_HISTORIES = '200';
await import('./workerd.test.ts');
