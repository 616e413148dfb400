// The functions of innkeep.php, by PHP itself: what they send, and what they say when something is wrong.
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { currencyCodes, currencyExponent } from '@innkeep/core/values';
import { signWebhook } from '@innkeep/core/webhooks';
import { afterAll, describe, expect, test } from 'vitest';
import { blocksOfMarkdown } from '../../scripts/check-snippets.ts';
import { ROOT } from '../../scripts/launch.ts';
import { findPhp } from '../../scripts/php.ts';
import { ownFolder } from '../support/own-folder.ts';
import { serveHttp } from '../support/serve-http.ts';

const code = readFileSync(join(ROOT, 'packages/create-innkeep/templates/php/innkeep.php'), 'utf8');
const folder = ownFolder();
const FILE = join(folder, 'innkeep.php');
/** cURL for a PHP that was built without it. */
const STAND_IN = join(ROOT, 'tests/docs/curl-stand-in.php');
const php = findPhp() ?? '';
/** In CI its absence is a failure. */
const LACKS_PHP = php === '' && process.env.CI === undefined;
const run = promisify(execFile);

const PROBLEM = {
  ...{ type: 'urn:innkeep:problem:invalid_request', title: 'Invalid request', status: 400, code: 'invalid_request' },
  ...{ detail: 'Must be an integer', param: 'amount.value', traceId: 'trace_1' },
};
const { param: _, ...WITHOUT_PARAM } = PROBLEM;

/** A server with one answer at each address; at any other it tells what it was asked. */
const ANSWERS: Readonly<Record<string, [status: number, body: string, location?: string]>> = {
  '/problem': [400, JSON.stringify(PROBLEM)],
  '/no-param': [400, JSON.stringify(WITHOUT_PARAM)],
  '/html': [502, '<html>Bad gateway</html>'],
  '/html-200': [200, '<html>Welcome</html>'],
  '/null': [200, 'null'],
  '/v1/desk-sessions': [201, '{"clientSecret":"ds_test"}'],
  '/other-json': [500, '{"code":7}'],
  '/moved': [302, '{}', '/elsewhere'],
  '/v1/export.csv?completedFrom=2026-11-01&completedTo=2026-12-01': [200, '"type","id"\n'],
  '/v1/export.csv?completedFrom=2026-11-01&completedTo=soon': [400, JSON.stringify(PROBLEM)],
};

const asked: string[] = [];
writeFileSync(FILE, code);
const server = await serveHttp(async (request, response) => {
  const body = await text(request);
  const { method, url = '', headers } = request;
  asked.push(url);
  const [status, answer, location] = ANSWERS[url] ?? [
    201,
    JSON.stringify({
      ...{ sent: `${method} ${url}`, body, type: headers['content-type'] ?? null },
      ...{ key: headers['idempotency-key'] ?? null, authorization: headers.authorization },
    }),
  ];
  if (url.startsWith('/cut')) {
    response.writeHead(200, url === '/cut-length' ? { 'content-length': 20 } : {});
    return void response.write('"type",', () => response.destroy());
  }
  if (url === '/chunks') {
    for (const part of ['[1,', '"2\\r\\n3",', ' '.repeat(70_000)]) response.write(part);
    return void response.end('4]');
  }
  response.writeHead(status, location === undefined ? {} : { location }).end(answer);
});
afterAll(() => server.close());
const endpoint = server.url;

/** What expressions are worth after the file was read; or what each throws. Nothing else may be said, no deprecation either. */
async function evaluate(expressions: readonly string[], settings = ['disable_functions=curl_init'], at = endpoint) {
  const script = `
    const INNKEEP_ENDPOINT = '${at}', INNKEEP_SECRET_KEY = 'sk_test', INNKEEP_WEBHOOK_SECRET = 'whsec_';
    if (!extension_loaded('curl') && ${!settings.includes('disable_functions=curl_init')}) require '${STAND_IN}';
    require '${FILE}';
    $results = [];
    foreach ([${expressions.map((expression) => `fn () => ${expression}`)}] as $expression) {
      try { $results[] = $expression(); }
      catch (Throwable $e) { $results[] = implode('/', [get_class($e), ...class_parents($e)]) . ': ' . $e->getMessage(); }
    }
    echo json_encode($results);`;
  const options = [...settings, 'error_reporting=-1', 'display_errors=stderr'].flatMap((each) => ['-d', each]);
  const { stdout, stderr } = await run(php, [...options, '-r', script]);
  expect(stderr).toBe('');
  return JSON.parse(stdout) as readonly unknown[];
}

/** PHP that makes what is running the request of a signed webhook. */
async function signedBy(secret: string, body: string, timestamp = new Date()): Promise<string> {
  const headers = Object.entries(await signWebhook({ id: 'ev_1', timestamp, body, secret }));
  return `$_SERVER = [${headers.map(([name, value]) => `'HTTP_${name.toUpperCase().replaceAll('-', '_')}' => '${value}'`)}]`;
}

/** What the plug-in of the page for WordPress calls, as far as it does: WordPress itself is not here. */
const WORDPRESS = `
  class WP_REST_Response { function __construct(public $data, public int $status) {} }
  class WP_REST_Request { function __construct(private string $body) {} function get_body() { return $this->body; } }
  class Sent extends Exception {}
  $hooks = []; $scripts = [];
  function add_shortcode($name, $do) { global $hooks; $hooks[$name] = $do; }
  function add_action($name, $do) { global $hooks; $hooks[$name] = $do; }
  function register_rest_route($space, $path, $route) { global $hooks; $hooks["$space$path"] = $route['callback']; }
  function wp_enqueue_script_module($id, $url) { global $scripts; $scripts[] = $url; }
  function plugins_url($file) { return "https://hotel.example/wp-content/plugins/hotel-payments/$file"; }
  function admin_url($file) { return "https://hotel.example/wp-admin/$file"; }
  function home_url($path) { return "https://hotel.example$path"; }
  function add_query_arg($name, $value, $url) { return "$url?$name=$value"; }
  function esc_attr($text) { return htmlspecialchars($text); }
  function esc_url($text) { return htmlspecialchars($text); }
  function wp_hash($text) { return hash_hmac('md5', $text, 'salt'); }
  function wp_unslash($text) { return stripslashes($text); }
  function wp_send_json($data, $status = 200) { throw new Sent(json_encode([$status, $data])); }
`;

test.skipIf(LACKS_PHP)('a desk’s secret is for somebody who is signed in', async () => {
  const guide = 'docs/guides/desk.md';
  const blocks = blocksOfMarkdown(guide, readFileSync(join(ROOT, guide), 'utf8'));
  writeFileSync(join(folder, 'desk-secret.php'), blocks.find(({ title }) => title === 'desk-secret.php')?.code ?? '');
  const answerTo = async (employee: string): Promise<string> => {
    const script = `
      const INNKEEP_ENDPOINT = '${endpoint}', INNKEEP_SECRET_KEY = 'sk_test';
      session_save_path('${folder}'); session_start(); $_SESSION = [${employee}]; session_write_close();
      $_SERVER['REQUEST_METHOD'] = 'POST';
      register_shutdown_function(fn () => print(' ' . http_response_code()));
      require '${join(folder, 'desk-secret.php')}';`;
    return (await run(php, ['-d', 'session.use_cookies=0', '-d', 'error_reporting=-1', '-r', script])).stdout.trim();
  };
  expect(await answerTo('')).toBe('401');
  expect(await answerTo("'employee' => 'anna'")).toMatch(/^ds_test/);
});

describe.skipIf(LACKS_PHP)('the plug-in for WordPress', () => {
  const guide = 'docs/guides/wordpress.md';
  const text = readFileSync(join(ROOT, guide), 'utf8');
  const blocks = blocksOfMarkdown(guide, text);
  const plugin = blocks.find(({ title }) => title === 'hotel-payments.php')?.code ?? '';

  test('has a page without secrets, answers no forged ticket, and refuses what the proxy did not sign', async () => {
    writeFileSync(join(folder, 'hotel-payments.php'), plugin);
    const script = `
      const INNKEEP_ENDPOINT = '${endpoint}', INNKEEP_SECRET_KEY = 'sk_test', INNKEEP_WEBHOOK_SECRET = 'whsec_eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4';
      ${WORDPRESS}
      require '${join(folder, 'hotel-payments.php')}';
      $hooks['rest_api_init']();
      $ask = function ($ticket) use ($hooks) {
        $_POST = ['booking' => $ticket];
        try { $hooks['wp_ajax_nopriv_hotel_payment'](); } catch (Sent $sent) { return json_decode($sent->getMessage()); }
      };
      echo json_encode([
        $hooks['hotel_payment'](), $scripts,
        $ask('RES-1234.' . wp_hash('other')), $ask('RES-1234'), $ask(''), $ask('RES-1.' . wp_hash('RES-1')),
        $hooks['hotel/v1/hooks'](new WP_REST_Request('{"type":"checkout.succeeded"}'))->status,
      ]);`;
    const options = ['-d', 'error_reporting=-1', '-d', 'display_errors=stderr', '-r', script];
    const { stdout, stderr } = await run(php, options);
    expect(stderr).toBe('');
    const assets = 'https://hotel.example/wp-content/plugins/hotel-payments';
    expect(JSON.parse(stdout)).toEqual([
      `<pay-widget endpoint="${endpoint}" data-ask="https://hotel.example/wp-admin/admin-ajax.php"></pay-widget>`,
      [`${assets}/innkeep/widgets.js`, `${assets}/payment.js`],
      ...Array.from({ length: 4 }, () => [404, null]),
      400,
    ]);
  });

  test('calls by WordPress, too, wait as long as a charge may take, and follow no redirect', async () => {
    const send = blocks.find(({ code }) => code.includes('wp_remote_request('))?.code ?? '';
    const script = `
      const INNKEEP_ENDPOINT = 'https://pay.hotel.example/', INNKEEP_SECRET_KEY = 'sk_test';
      function wp_remote_request($url, $how) { return [$url, $how]; }
      function is_wp_error($it) { return false; }
      function wp_remote_retrieve_response_code($it) { return 201; }
      function wp_remote_retrieve_body($it) { return json_encode($it); }
      ${send}
      echo json_encode(innkeep_send('POST', '/v1/charges', '{}', 'k1'));`;
    const { stdout } = await run(php, ['-r', script]);
    const [status, asked] = JSON.parse(stdout) as [number, string];
    expect([status, JSON.parse(asked)]).toEqual([
      201,
      [
        'https://pay.hotel.example/v1/charges',
        {
          ...{ method: 'POST', body: '{}', timeout: 40, redirection: 0 },
          headers: { Authorization: 'Bearer sk_test', 'Content-Type': 'application/json', 'Idempotency-Key': 'k1' },
        },
      ],
    ]);
  });
});

describe.skipIf(LACKS_PHP)('innkeep.php', () => {
  test('an amount is what its text says, in every currency', async () => {
    const codes = currencyCodes();
    expect(await evaluate(codes.map((code) => `innkeep_amount('12', '${code}')`))).toEqual(
      codes.map((currency) => ({ value: 12 * 10 ** (currencyExponent(currency) ?? Number.NaN), currency })),
    );
    const texts = { '240.00': 24_000, '19.99': 1_999, '0.5': 50, '0': 0, '999999999999.99': 99_999_999_999_999 };
    expect(await evaluate(Object.keys(texts).map((text) => `innkeep_amount('${text}', 'EUR')['value']`))).toEqual(
      Object.values(texts),
    );
  });

  test('an amount is made of nothing but a text with a point', async () => {
    const values = ['240.00', '19.99 * 100', '240', 'null', 'true'];
    const texts = ["'240,00'", "'1.234'", "' 240'", "'240.'", "'-5'", "''", '"240.00\\n"', "'0240'", "'1e3'"];
    const said = await evaluate([...values, ...texts].map((each) => `innkeep_amount(${each}, 'EUR')`));
    expect(said[0]).toBe(
      'InvalidArgumentException/LogicException/Exception: 240.0 is no amount of EUR. Write a text of digits, with a point and at most 2 decimals.',
    );
    expect(said).toEqual(said.map(() => expect.stringMatching(/^InvalidArgumentException.* is no amount of EUR\./s)));
  });

  test('a float is not sent: PHP writes 240.00 as 240, which are cents', async () => {
    asked.length = 0;
    const bodies = [
      "['amount' => ['value' => 240.00, 'currency' => 'EUR']]",
      "['amount' => ['value' => 19.99 * 100, 'currency' => 'EUR']]",
      "['amount' => (object) ['value' => 240.0]]",
    ];
    const said = await evaluate(bodies.map((body) => `innkeep('POST', '/v1/checkout-sessions', ${body})`));
    const refusal = /^InvalidArgumentException.*: `value` is a float\. .*innkeep_amount\('240\.00', 'EUR'\)/;
    expect(said).toEqual(bodies.map(() => expect.stringMatching(refusal)));
    expect(asked).toEqual([]);
  });

  test('a text in another encoding is not sent, and not as nothing either; nor a key that would begin a header of its own', async () => {
    asked.length = 0;
    const keys = ['"R-1\\r\\nInnkeep-Person: boss"', '"R-1\\n"', "'R 1'", "'RÉS'", "''", "str_repeat('k', 256)"];
    expect(
      await evaluate([
        `innkeep('POST', '/v1', ['description' => "Z\\xfcrich"])`,
        ...keys.map((key) => `innkeep_refund(${key}, 'cs_1')`),
      ]),
    ).toEqual([
      expect.stringMatching(/^InvalidArgumentException.*The body cannot be sent: Malformed UTF-8/),
      ...keys.map(() => expect.stringMatching(/^InvalidArgumentException.*1 to 255 visible ASCII/)),
    ]);
    expect(asked).toEqual([]);
  });

  test('nothing that PHP 8.5 deprecates is used', () => {
    const deprecated = /\$http_response_header|curl_close|curl_share_close|\((integer|boolean|double|binary)\)/;
    expect(code).not.toMatch(deprecated);
  });

  test('without cURL and allow_url_fopen it says what to install', async () => {
    expect(await evaluate([`innkeep('GET', '/v1')`], ['disable_functions=curl_init', 'allow_url_fopen=0'])).toEqual([
      expect.stringMatching(/^RuntimeException.*install its extension curl, or/),
    ]);
  });

  test('without cURL an answer without its end is none', async () => {
    expect(
      await evaluate([
        `innkeep('GET', '/chunks')`,
        `innkeep_send('GET', '/cut')`,
        `innkeep_send('GET', '/cut-length')`,
      ]),
    ).toEqual([
      [1, '2\r\n3', 4],
      expect.stringMatching(/^RuntimeException.*did not answer GET \/cut\.$/),
      expect.stringMatching(/^RuntimeException.*did not answer GET \/cut-length\.$/),
    ]);
  });

  test('a webhook is what the proxy signed, less than five minutes ago', async () => {
    const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
    const body = '{"type":"checkout.succeeded","text":"Zürich"}';
    const now = await signedBy(secret, body);
    const event = (set: string, text: string): string => `[${set}, innkeep_event('${text}', '${secret}')][1]`;
    expect(
      await evaluate([
        event(now, body),
        event(now, body.replace('succeeded', 'expired')),
        event(await signedBy(secret, body, new Date(Date.now() - 301_000)), body),
        event('$_SERVER = []', body),
        `innkeep_event('{}', 'whsec_')`,
      ]),
    ).toEqual([JSON.parse(body), null, null, null, expect.stringContaining('That is not a webhook secret')]);
  });

  test.each([
    ['returns', "echo 'done';", 204],
    ['has cleared all buffers', "echo 'done'; while (ob_get_level()) ob_end_clean();", 204],
    ['leaves a buffer open', "echo 'done'; ob_start();", 204],
    ['throws', "throw new Exception('No database');", 500],
    ['ends the script', "die('No database');", 500],
    ['needs too much memory', "str_repeat('x', PHP_INT_MAX);", 500],
    ['is never called, since nobody could check', '', 500],
  ])('a webhook whose handler %s is answered as it ended, whatever PHP shows', async (_how, handler, status) => {
    const secret = handler === '' ? 'whsec_' : `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
    const script = `
      const INNKEEP_WEBHOOK_SECRET = '${secret}';
      class Body { public $context; private $left = '{}';
        function stream_open() { return true; } function stream_stat() { return []; } function stream_eof() { return $this->left === ''; }
        function stream_read() { [$part, $this->left] = [$this->left, '']; return $part; } }
      ${handler === '' ? '' : await signedBy(secret, '{}')};
      register_shutdown_function(fn () => print(' ' . http_response_code()));
      require '${FILE}';
      stream_wrapper_unregister('php'); stream_wrapper_register('php', Body::class);
      innkeep_receive_webhook(function () { ${handler} });`;
    const { stdout } = await run(php, ['-d', 'display_errors=1', '-r', script]).catch(
      (error: { stdout: string }) => error,
    );
    expect(stdout).toMatch(new RegExp(`^(?!.*(?:done|Notice)).* ${status}$`, 's'));
  });

  describe.each([
    ['allow_url_fopen', ['disable_functions=curl_init']],
    ['cURL', ['allow_url_fopen=0']],
  ])('by %s', (_way, settings) => {
    test('what is wrong is told in one line', async () => {
      const problem =
        'InnkeepProblem/RuntimeException/Exception: The payment proxy answered 400 invalid_request: Must be an integer';
      const other = 'RuntimeException/Exception: The payment proxy';
      const said = {
        "innkeep('GET', '/problem')": `${problem} (amount.value)`,
        "innkeep('GET', '/no-param')": problem,
        "innkeep('GET', '/html')": `${other} answered 502 with something other than JSON.`,
        "innkeep('GET', '/html-200')": `${other} answered 200 with something other than JSON.`,
        "innkeep('GET', '/null')": `${other} answered 200 with something other than JSON.`,
        "innkeep('GET', '/other-json')": `${other} answered 500.`,
        "innkeep('GET', '/moved')": `${other} answered 302.`,
        "innkeep_csv('2026-11-01', 'soon')": `${problem} (amount.value)`,
      };
      expect(await evaluate(Object.keys(said), settings)).toEqual(Object.values(said));
      expect(asked).not.toContain('/elsewhere');
      expect(await evaluate([`innkeep('GET', '/v1')['sent']`], settings, `${endpoint}/`)).toEqual(['GET /v1']);
      expect(await evaluate([`innkeep('GET', '/v1')`], settings, 'http://127.0.0.1:9')).toEqual([
        `${other} did not answer GET /v1.`,
      ]);
    });

    test('session, charge, refund, link and CSV are calls of one line', async () => {
      const charge =
        "['token' => 't', 'amount' => innkeep_amount('140.00', 'EUR'), 'reference' => 'RES-1', 'reason' => 'no_show']";
      const authorization = 'Bearer sk_test';
      const json = { type: 'application/json', authorization };
      const refund = { ...json, sent: 'POST /v1/reversals' };
      const done = {
        [`innkeep_charge('k1', ${charge})`]: {
          ...{ ...json, sent: 'POST /v1/charges', key: 'k1' },
          body: '{"token":"t","amount":{"value":14000,"currency":"EUR"},"reference":"RES-1","reason":"no_show"}',
        },
        "innkeep_refund('k2', 'cs_1', innkeep_amount('20.00', 'EUR'))": {
          ...{ ...refund, key: 'k2' },
          body: '{"payment":"cs_1","amount":{"value":2000,"currency":"EUR"}}',
        },
        "innkeep_refund('k3', 'ch_1')": { ...refund, key: 'k3', body: '{"payment":"ch_1"}' },
        "innkeep_refund('k5', 'cs_1', null, 2)": { ...refund, key: 'k5', body: '{"payment":"cs_1","attempt":2}' },
        "innkeep_ensure_session('RES-1:deposit', ['kind' => 'card', 'reference' => 'RES-1'])": {
          ...{ ...json, sent: 'PUT /v1/checkout-sessions/by-key/RES-1%3Adeposit', key: null },
          body: '{"kind":"card","reference":"RES-1"}',
        },
        // The id may come from an address: no other route may be called with it.
        "innkeep_link('k4', 'cs_1/expire?')": {
          ...{ sent: 'POST /v1/checkout-sessions/cs_1%2Fexpire%3F/link', key: 'k4' },
          ...{ body: '', type: null, authorization },
        },
        "innkeep_csv('2026-11-01', '2026-12-01')": '"type","id"\n',
      };
      expect(await evaluate(Object.keys(done), settings)).toEqual(Object.values(done));
    });
  });
});
