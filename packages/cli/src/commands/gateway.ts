import { resolve } from 'node:path';
import { formBody, xmlDocument } from '@innkeep/core/gateway';
import type { RawBody } from '@innkeep/core/merchant';
import { Option } from 'commander';
import { isWebPage } from '../checks/web-page.ts';
import type { CommandContext } from '../context/command-context.ts';
import { CliError, usageError } from '../failures/cli-error.ts';
import { EXIT } from '../failures/exit-code.ts';
import { isGatewayRefusal } from '../failures/explain-error.ts';
import { parsePairs } from '../input/pairs.ts';
import { readInput } from '../input/read-input.ts';
import { writePrivateFile } from '../property/env-file.ts';
import { type CommandGroup, defineCommand } from './command-spec.ts';
import { doubtAbout, isCertainRefusal } from './money-call.ts';

interface SendFlags {
  readonly body?: string;
  readonly contentType?: string;
  readonly xml?: readonly string[];
  readonly form?: readonly string[];
  readonly out?: string;
}

const send = defineCommand<SendFlags>({
  usage: 'send <protocol/method>',
  summary: 'Send one message to the property-management gateway',
  details: [
    'The proxy adds the gateway key. A message is sent once and never repeated by itself.',
    'The answer’s bytes go to standard output unchanged; with --json they come as base64 with their content type.',
  ].join('\n'),
  options: [
    new Option('--xml <name=value...>', 'elements of a SIHOT-Document').conflicts(['form', 'body']),
    new Option('--form <name=value...>', 'form parameters; items of a list are separated by semicolons').conflicts(
      'body',
    ),
    new Option('--body <file>', 'file whose bytes are sent as they are, - for standard input'),
    new Option('--content-type <type>', 'content type of --body (default: by its first character)'),
    new Option('--out <file>', 'write the answer into a file that only you can read'),
  ],
  examples: [
    'innkeep gateway send RMS/keepalivereq --xml OC=KA TN=1 CDT=2026-06-01T12:00:00 status=0',
    "innkeep gateway send RMS/roomreq --form transno=1 roomreq=101 'extraInfo=A;B' mandator=1",
    'innkeep gateway send RMS/keepalivereq --body keep-alive.xml --out answer.xml',
  ],
  async run(context, [address = ''], flags) {
    const [protocol = '', method = '', ...rest] = address.split('/');
    if (method === '' || rest.length > 0) {
      throw usageError(`“${address}” is not protocol/method.`, 'Write it as RMS/keepalivereq');
    }
    const body = await readBody(context, flags);
    const merchant = await context.merchant();
    const { signal } = context.io;
    signal.throwIfAborted();
    const doubtfulBefore = context.doubtfulCalls();
    try {
      // The answer arrived even if it cannot be saved: the exit code must not make anybody send the message again.
      const answer = await merchant.gateway.send(protocol, method, body, { signal });
      await writeAnswer(context, answer, flags.out);
      requireAnswer(answer);
    } catch (error) {
      const isCertain =
        isCertainRefusal(context, error, doubtfulBefore) ||
        // This answer itself counts as doubtful.
        (isGatewayRefusal(error) && context.doubtfulCalls() === doubtfulBefore + 1);
      throw isCertain ? error : lostAnswer(context, error);
    }
    return EXIT.ok;
  },
});

export const GATEWAY_COMMANDS: CommandGroup = {
  name: 'gateway',
  summary: 'Messages to the property-management gateway',
  commands: [send],
};

async function readBody(context: CommandContext, { body, contentType, xml, form }: SendFlags): Promise<RawBody> {
  if (body === undefined && contentType !== undefined) {
    throw usageError('--content-type was given without --body.', '--xml and --form have their own content type.');
  }
  if (xml !== undefined) return xmlDocument(parsePairs(xml, '--xml'));
  if (form !== undefined) return formBody(parsePairs(form, '--form'));
  if (body === undefined) {
    throw usageError('There is nothing to send.', 'Add --xml OC=KA …, --form transno=1 …, or --body FILE');
  }
  const bytes = Uint8Array.from(await readInput(context.io, body, '--body'));
  return { contentType: contentType ?? guessContentType(bytes), bytes };
}

function guessContentType(bytes: Uint8Array): string {
  const marked = MARKS.find(({ mark }) => mark.every((byte, index) => bytes[index] === byte));
  const text = new TextDecoder(marked?.decoder ?? 'latin1').decode(bytes.subarray(0, 200)).trimStart();
  if (!text.startsWith('<')) return 'application/x-www-form-urlencoded';
  const [, declared = 'UTF-8'] = /^<\?xml[^>]*\bencoding\s*=\s*["']([\w.-]+)["']/.exec(text) ?? [];
  return `text/xml; charset=${marked?.charset ?? declared}`;
}

/** Byte order marks. A text with one is in that charset, whatever it declares. */
const MARKS = [
  { mark: [0xef, 0xbb, 0xbf], decoder: 'utf-8', charset: 'UTF-8' },
  { mark: [0xff, 0xfe], decoder: 'utf-16le', charset: 'UTF-16' },
  { mark: [0xfe, 0xff], decoder: 'utf-16be', charset: 'UTF-16' },
];

/** A gateway answers with a body of its own; a web server in front of it answers with a page, or with nothing. */
function requireAnswer({ bytes }: RawBody): void {
  if (bytes.length === 0) throw new TypeError('it is empty');
  if (isWebPage(new TextDecoder().decode(bytes))) throw new TypeError('it is a web page');
}

async function writeAnswer(context: CommandContext, { contentType, bytes }: RawBody, out?: string): Promise<void> {
  if (out !== undefined) await writePrivateFile(resolve(context.io.cwd, out), bytes);
  const base64 = Buffer.from(bytes).toString('base64');
  if (context.isJson) {
    await context.answer({ contentType, bytes: bytes.length, ...(out === undefined ? { base64 } : { out }) }, '');
    return;
  }
  if (out === undefined) await context.io.writeOut(bytes);
  await context.note(`${bytes.length} bytes, ${contentType}${out === undefined ? '' : `, in ${out}`}`);
}

/** Only the other side knows whether it acted on a lost message. */
function lostAnswer(context: CommandContext, error: unknown): CliError {
  const { reason, details } = doubtAbout(context, error);
  return new CliError('outcome_unknown', `${reason} The message may have been carried out.`, {
    exitCode: EXIT.outcomeUnknown,
    next: ['Whether you may send it again depends on the message: check the property-management system first.'],
    details,
    cause: error,
  });
}
