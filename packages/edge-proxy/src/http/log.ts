/** Writes one line of the log: an event by its name, with what is known of it. Never a secret. */
export function log(level: 'info' | 'warn' | 'error', message: string, fields: object): void {
  console[level === 'info' ? 'log' : level](JSON.stringify({ level, message, ...fields }));
}
