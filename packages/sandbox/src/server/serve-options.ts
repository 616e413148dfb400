/** One option of the `innkeep-sandbox` command. */
export interface ServeOption {
  readonly name: string;
  /** The value after it; absent for a switch. */
  readonly value?: string;
  /** What it does, as `--help` says it. */
  readonly description: string;
  /** Environment variable that is read when the option is not given. */
  readonly variable?: string;
}

/** Every option of the `innkeep-sandbox` command: its parser and its help are made from them. */
export const SERVE_OPTIONS: readonly ServeOption[] = [
  { name: 'port', value: 'number', description: 'port to listen on, 8790 by default; 0 takes a free one' },
  { name: 'host', value: 'address', description: 'address to listen on, 127.0.0.1 by default' },
  { name: 'profile', value: 'name', description: 'dialect to speak: strict (default) or lenient' },
  {
    name: 'username',
    value: 'text',
    description: 'user that may log in, demo by default',
    variable: 'SANDBOX_USERNAME',
  },
  {
    name: 'password',
    value: 'text',
    description: 'password of that user, demo-password by default',
    variable: 'SANDBOX_PASSWORD',
  },
  {
    name: 'api-key',
    value: '40 chars',
    description: 'key of the gateway, the documented test key by default',
    variable: 'SANDBOX_API_KEY',
  },
  { name: 'base-url', value: 'url', description: 'address to write into answers, the request’s own origin by default' },
  { name: 'amount-unit', value: 'name', description: 'unit of amounts: minor (default) or major' },
  { name: 'seed', value: 'text', description: 'the same seed and the same calls give the same bytes' },
  { name: 'real-time', description: 'let the clock run; otherwise it stands still until you move it' },
  { name: 'help', description: 'print this help' },
];

export function serveHelp(): string {
  const flag = ({ name, value }: ServeOption): string => `--${name}${value === undefined ? '' : ` <${value}>`}`;
  const width = Math.max(...SERVE_OPTIONS.map((option) => flag(option).length));
  const lines = SERVE_OPTIONS.map((option) => {
    const variable = option.variable === undefined ? '' : `, or ${option.variable}`;
    return `  ${flag(option).padEnd(width)}  ${option.description}${variable}\n`;
  });
  return `innkeep-sandbox: a simulator of the hotel payment API and its gateway\n\n${lines.join('')}`;
}
