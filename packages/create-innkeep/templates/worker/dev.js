// The Worker in its local runtime, on the port that `innkeep dev` found free. The keys it reads are those of .env.local.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const wrangler = fileURLToPath(new URL('node_modules/wrangler/bin/wrangler.js', import.meta.url));
const options = [
  'dev',
  '--ip',
  '127.0.0.1',
  '--port',
  process.env.PORT ?? '3000',
  '--show-interactive-dev-session=false',
];
spawn(process.execPath, [wrangler, ...options], { stdio: 'inherit' }).once('exit', (code) => process.exit(code ?? 1));
