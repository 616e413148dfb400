import { SCOPES } from '@innkeep/core/contract';
import { InvalidArgumentError, Option } from 'commander';
import type { DevFlags } from '../dev/run-dev.ts';
import { SITE_SCOPES } from '../property/key-scopes.ts';
import { type CommandSpec, defineCommand } from './command-spec.ts';
import { wholeNumber } from './shared-options.ts';

export const DEV_COMMAND: CommandSpec<DevFlags> = defineCommand<DevFlags>({
  usage: 'dev [command...]',
  summary: 'Run a hotel, its proxy and the simulated payment service on this machine',
  details: [
    'Keys and data stay in the folder .innkeep, so the next start goes on where this one ends. Your server finds its settings in .env.local: SITE_URL, INNKEEP_ENDPOINT, INNKEEP_SECRET_KEY, INNKEEP_WEBHOOK_SECRET.',
    'The words after -- are your site’s own command. It gets the same settings, and PORT, in its environment. Both end together.',
  ].join('\n'),
  options: [
    new Option('--forward-to <url>', 'send webhooks to this address, or to this path of your site'),
    new Option('--port <port>', 'port of your site (default: 3000)').argParser(wholeNumber('a port number', 1, 65_535)),
    new Option('--name <name>', 'what guests read as the hotel’s name, instead of Hotel Aurora').argParser(parseName),
    new Option('--clock', 'let innkeep clock move the time of the proxy and the payment service'),
    new Option('--scope <scope...>', 'what the key of your site may do').choices(SCOPES).default(SITE_SCOPES),
    new Option('--data <folder>', 'where keys and data stay, instead of .innkeep'),
  ],
  examples: [
    'innkeep dev',
    'innkeep dev --forward-to /hooks -- node server.js',
    'innkeep dev --port 5173 -- npx vite',
    'innkeep dev --name "Hotel Fjord"',
  ],
  async run(context, command, flags) {
    // Imported here, so that no other command waits for it to load.
    const { runDev } = await import('../dev/run-dev.ts');
    return runDev(context, command, flags);
  },
});

function parseName(text: string): string {
  if (text.trim() !== '' && text.length <= 80) return text;
  throw new InvalidArgumentError('It must have 1 to 80 characters.');
}
