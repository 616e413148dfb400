// PHP's own server, on the port that `innkeep dev` found free. In production the web server runs public/index.php.
import { spawn } from 'node:child_process';

const php = spawn('php', ['-S', `127.0.0.1:${process.env.PORT ?? 3000}`, '-t', 'public', 'public/index.php'], {
  stdio: 'inherit',
});
php.once('error', () => {
  console.error('PHP cannot be started. Install PHP 8.1 or newer, with its command line.');
  process.exitCode = 1;
});
php.once('exit', (code) => process.exit(code ?? 1));
