import { chmod, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { runInnkeepOn } from './run-innkeep.ts';

/** Asks for a command by its words, folder and variables, and does what it is told: write, read, end. */
const program = (port: number): string => `#!/usr/bin/env bash
exec 3<>/dev/tcp/127.0.0.1/${port}
variables=()
for name in $(compgen -e INNKEEP_); do variables+=("$name=\${!name}"); done
printf '%s\\0' "$#" "\${#variables[@]}" "$PWD" "$@" "\${variables[@]}" >&3
while read -r what text <&3; do
  case $what in
    out) base64 -d <<<"$text" ;;
    err) base64 -d <<<"$text" >&2 ;;
    in) { base64 | tr -d '\\n'; echo; } >&3 ;;
    end) exit "$text" ;;
  esac
done
exit 70
`;

/**
 * Writes an `innkeep` for the PATH of a shell. It runs the built command in this process, so that a guide's hundred commands do
 * not start Node a hundred times.
 */
export async function serveInnkeep(file: string): Promise<{ close(): void }> {
  const server = createServer((socket) => {
    serve(socket).catch(() => socket.destroy());
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  await writeFile(file, program((server.address() as AddressInfo).port));
  await chmod(file, 0o755);
  return server;
}

async function serve(socket: Socket): Promise<void> {
  const chunks = socket.setEncoding('utf8')[Symbol.asyncIterator]();
  /** Reads until the parts between the separators are enough. */
  const receive = async (separator: string, isEnough: (parts: readonly string[]) => boolean): Promise<string[]> => {
    for (let received = ''; ; ) {
      const { value, done } = (await chunks.next()) as IteratorResult<string>;
      if (done === true) throw new Error('The shell has gone.');
      received += value;
      const parts = received.split(separator).slice(0, -1);
      if (isEnough(parts)) return parts;
    }
  };
  const write = (what: string, data: string | Uint8Array): Promise<void> =>
    new Promise((done) => void socket.write(`${what} ${Buffer.from(data).toString('base64')}\n`, () => done()));

  const [words, , cwd = '', ...rest] = await receive(
    '\0',
    ([words, variables, ...rest]) => rest.length === 1 + Number(words) + Number(variables),
  );
  const env = rest.slice(Number(words)).map((text) => text.split(/=(.*)/s).slice(0, 2));
  const exitCode = await runInnkeepOn(
    {
      cwd,
      env: Object.fromEntries(env) as Record<string, string>,
      async readStdin() {
        socket.write('in\n');
        return Buffer.from((await receive('\n', ({ length }) => length > 0)).join(''), 'base64');
      },
      writeOut: (data) => write('out', data),
      writeErr: (text) => write('err', text),
    },
    rest.slice(0, Number(words)),
  );
  socket.end(`end ${exitCode}\n`);
}
