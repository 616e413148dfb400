// Prevents: a file that only makes sense on its author's machine or in its author's meeting: home folders, private registries,
// numbers of a tracker that readers cannot open, addresses of real companies, keys that look real, and work that was left undone.
import { lineAt, type Problem, reportProblems } from './report-problems.ts';
import { readText, repositoryFiles } from './workspace.ts';

interface Rule {
  readonly pattern: RegExp;
  readonly message: string;
  /** Files the rule applies to. @default every text file */
  readonly files?: RegExp;
}

const RULES: readonly Rule[] = [
  {
    pattern: /(?<![\w.~/-])\/(?:home|Users|root|work|workspace)\/[\w.-]+/g,
    message: 'an absolute path of one machine',
  },
  { pattern: /[A-Z]:\\Users\\/g, message: 'an absolute path of one machine' },
  { pattern: /(?:^|[^\w.])\.\.\/shared\b/g, message: 'a path outside this repository' },
  {
    pattern: /\b(?:issue|ticket|task)s?\s+#?\d+\b|\b(?:closes|fixes|refs|see)\s+#\d+\b/gi,
    message: 'a number of a tracker that readers cannot open: say what it says',
  },
  {
    pattern: /(?<=[\s(])#\d{1,4}\b/g,
    message: 'a number of a tracker that readers cannot open: say what it says',
    files: /\.md$/,
  },
  {
    pattern: /\b(?:DESIGN|CONTRACTS|CONVENTIONS)(?:\.md\b|,? (?:sections? )?\d)/g,
    message: 'a document that is not in this repository: cite the upstream API or our own docs',
  },
  {
    pattern: /\b(?:the brief|sub-?agents?|work ?trees?|hand-?off notes?)\b/gi,
    message: 'speaks of how it was made; say what it does',
  },
  { pattern: /\b(?:TODO|FIXME|HACK)\b/g, message: 'work left undone: do it, or write down the limit as a fact' },
  {
    pattern: /^\s*(?:registry|[\w@./:-]+:registry)\s*=.*$/gm,
    message: 'a registry of one machine',
    files: /(?:^|\/)\.npmrc$/,
  },
  { pattern: /^\s*tarball: .*$/gm, message: 'a package from a private address', files: /pnpm-lock\.yaml$/ },
  {
    pattern:
      /-----BEGIN [A-Z ]*PRIVATE KEY-----|\bAKIA[0-9A-Z]{16}\b|\b(?:ghp|npm)_[A-Za-z0-9]{36}\b|\bsk_live_[A-Za-z0-9_-]{20,}/g,
    message: 'looks like a real secret',
  },
];

/** Public addresses that our files may name. Everything else is either an example domain or somebody's real machine. */
const PUBLIC_HOSTS: readonly string[] = [
  'apache.org',
  'cloudflare.com',
  'contributor-covenant.org',
  'github.com',
  'ietf.org',
  'iso.org',
  'json-schema.org',
  'jsr.io',
  'keepachangelog.com',
  'mozilla.org',
  'nodejs.org',
  'npmjs.com',
  'npmjs.org',
  'opensource.org',
  'rfc-editor.org',
  'semver.org',
  'spdx.org',
  'standardwebhooks.com',
  'turborepo.com',
  'typescriptlang.org',
  'unicode.org',
  'unpkg.com',
  'w3.org',
  'whatwg.org',
  'workers.dev',
];

/** Names reserved for examples and tests (RFC 2606, RFC 6761), numbers, and `.evil`, which tests give to attackers. */
const EXAMPLE_HOST =
  /(?:^|\.)(?:example|test|invalid|localhost|evil)$|(?:^|\.)example\.(?:com|net|org)$|^(?:[\d.]+|\[.*\]|0x[\da-f]+)$/;

/** Every mistake of this kind in one file. */
export function findVoiceProblems(file: string, text: string): readonly Problem[] {
  const found = RULES.filter(({ files }) => files === undefined || files.test(file)).flatMap(({ pattern, message }) =>
    [...text.matchAll(pattern)].map((match) => ({ offset: match.index, message: `“${match[0].trim()}”: ${message}` })),
  );
  const hosts = [...text.matchAll(/\bhttps?:\/\/(?:[^\s/@"'`<>]*@)?(\[[^\]\s]*\]|[A-Za-z0-9.-]*[A-Za-z0-9])/g)].flatMap(
    (match) => {
      const host = (match[1] ?? '').toLowerCase();
      return isKnownHost(host)
        ? []
        : [
            {
              offset: match.index,
              message: `“${host}”: not an example domain; use hotel.example, or add a public host to scripts/check-project-voice.ts`,
            },
          ];
    },
  );
  return [...found, ...(file === 'pnpm-lock.yaml' ? [] : hosts)]
    .sort((a, b) => a.offset - b.offset)
    .map(({ offset, message }) => ({ file, line: lineAt(text, offset), message }));
}

function isKnownHost(host: string): boolean {
  // `https://${host}` in code: nothing is written down.
  if (!host.includes('.') && !/^(?:localhost|\d+)$/.test(host)) return true;
  return EXAMPLE_HOST.test(host) || PUBLIC_HOSTS.some((known) => host === known || host.endsWith(`.${known}`));
}

/** Files whose business is to name what the rules forbid. */
const EXEMPT: readonly string[] = ['scripts/check-project-voice.ts', 'scripts/check-project-voice.test.ts'];

if (import.meta.main) {
  const files = repositoryFiles().filter(
    (file) => !EXEMPT.includes(file) && !/\.(?:png|jpe?g|gif|webp|avif|ico|woff2?)$/.test(file),
  );
  reportProblems(
    files.flatMap((file) => findVoiceProblems(file, readText(file))),
    'Write for a reader who has only this repository.',
    `${files.length} files`,
  );
}
