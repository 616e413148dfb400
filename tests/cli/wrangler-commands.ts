/** Every command of wrangler that a guide names. */
export const WRANGLER_COMMANDS: readonly string[] = ['login', 'rollback', 'secret delete', 'secret put', 'tail'];
