<?php

declare(strict_types=1);

/** A refusal of the proxy; `problem` has its `code`, and often the `param` to blame. */
final class InnkeepProblem extends RuntimeException
{
    public function __construct(public readonly array $problem)
    {
        $param = isset($problem['param']) ? " ({$problem['param']})" : '';
        parent::__construct("The payment proxy answered {$problem['status']} {$problem['code']}: {$problem['detail']}$param");
    }
}

/** An amount from a decimal text: `innkeep_amount('240.00', 'EUR')`. Nothing that PHP has rounded before: neither a float nor an integer. */
function innkeep_amount(mixed $decimal, string $currency): array
{
    // By ISO 4217; every other currency has two. One that does not exist is refused by the proxy.
    $decimals = match (true) {
        in_array($currency, explode(' ', 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'), true) => 0,
        in_array($currency, explode(' ', 'BHD IQD JOD KWD LYD OMR TND'), true) => 3,
        in_array($currency, explode(' ', 'CLF UYW'), true) => 4,
        default => 2,
    };
    if (!is_string($decimal) || !preg_match('/^(0|[1-9]\d{0,11})(?:\.(\d+))?$/D', $decimal, $match) || strlen($match[2] ?? '') > $decimals) {
        throw new InvalidArgumentException(
            var_export($decimal, true) . " is no amount of $currency. Write a text of digits, with a point and at most $decimals decimals."
        );
    }
    return ['value' => (int) ($match[1] . str_pad($match[2] ?? '', $decimals, '0')), 'currency' => $currency];
}

/**
 * Calls the proxy's merchant API. Throws InnkeepProblem for a refusal, another RuntimeException when there is no answer or no JSON
 * in it, and InvalidArgumentException for what it does not send. After 500, 502, 504 or no answer, call again with the same key.
 */
function innkeep(string $method, string $path, ?array $body = null, ?string $idempotencyKey = null): array
{
    $json = $body === null ? null : json_encode($body, JSON_PRESERVE_ZERO_FRACTION);
    if ($json === false) {
        throw new InvalidArgumentException('The body cannot be sent: ' . json_last_error_msg());
    }
    // What json_encode makes of 240.00 is 240, and those are cents.
    $sent = json_decode($json ?? '[]', true);
    array_walk_recursive($sent, function (mixed $value, int|string $name): void {
        if (is_float($value)) {
            throw new InvalidArgumentException("`$name` is a float. Amounts are integers in minor units: innkeep_amount('240.00', 'EUR').");
        }
    });
    // After a line break the rest would be a header of its own.
    if ($idempotencyKey !== null && !preg_match('/^[\x21-\x7e]{1,255}$/D', $idempotencyKey)) {
        throw new InvalidArgumentException('An idempotency key has 1 to 255 visible ASCII characters.');
    }
    return innkeep_read(...innkeep_send($method, $path, $json, $idempotencyKey));
}

/** The JSON of an answer, where the proxy did what it was asked for. */
function innkeep_read(int $status, string $body): array
{
    $data = json_decode($body, true, 64);
    if (!is_array($data)) {
        throw new RuntimeException("The payment proxy answered $status with something other than JSON.");
    }
    if ($status >= 200 && $status < 300) {
        return $data;
    }
    $isProblem = is_string($data['code'] ?? null) && is_string($data['detail'] ?? null);
    throw $isProblem ? new InnkeepProblem(['status' => $status, ...$data]) : new RuntimeException("The payment proxy answered $status.");
}

/** Sends a request and answers with its status and its body: by cURL, or without that extension by what `allow_url_fopen` allows. */
function innkeep_send(string $method, string $path, ?string $json = null, ?string $idempotencyKey = null): array
{
    // A card may take 30 seconds.
    $timeout = 40;
    $url = rtrim(INNKEEP_ENDPOINT, '/') . $path;
    $headers = ['Authorization: Bearer ' . INNKEEP_SECRET_KEY];
    if ($json !== null) {
        $headers[] = 'Content-Type: application/json';
    }
    if ($idempotencyKey !== null) {
        $headers[] = 'Idempotency-Key: ' . $idempotencyKey;
    }
    // Neither way follows a redirect, which would carry the key to somewhere else.
    if (function_exists('curl_init')) {
        $call = curl_init($url);
        curl_setopt_array($call, [
            CURLOPT_CUSTOMREQUEST => $method,
            CURLOPT_HTTPHEADER => $headers,
            CURLOPT_TIMEOUT => $timeout,
            CURLOPT_RETURNTRANSFER => true,
            CURLOPT_FOLLOWLOCATION => false,
        ] + ($json === null ? [] : [CURLOPT_POSTFIELDS => $json]));
        $body = curl_exec($call);
        $status = curl_getinfo($call, CURLINFO_RESPONSE_CODE);
    } elseif (filter_var(ini_get('allow_url_fopen'), FILTER_VALIDATE_BOOL)) {
        $stream = @fopen($url, 'r', false, stream_context_create(['http' => [
            'method' => $method,
            'header' => $headers,
            'content' => $json ?? '',
            'timeout' => $timeout,
            'ignore_errors' => true,
            'follow_location' => 0,
            'auto_decode' => false,
        ]]));
        $sent = $stream === false ? false : stream_get_contents($stream);
        $about = $stream === false ? ['timed_out' => true] : stream_get_meta_data($stream);
        $body = $sent === false ? false : innkeep_whole($sent, implode("\n", $about['wrapper_data']));
        $status = $about['timed_out'] ? 0 : (int) explode(' ', $about['wrapper_data'][0])[1];
    } else {
        throw new RuntimeException('PHP can call nobody: install its extension curl, or switch allow_url_fopen on in php.ini.');
    }
    if ($body === false || $status === 0) {
        throw new RuntimeException("The payment proxy did not answer $method $path.");
    }
    return [$status, $body];
}

/** What was sent, by its length or in chunks; false when its end is missing, which without cURL nobody else says. */
function innkeep_whole(string $sent, string $headers): string|false
{
    if (preg_match('/^content-length: *(\d+)/mi', $headers, $length)) {
        return strlen($sent) === (int) $length[1] ? $sent : false;
    }
    if (!preg_match('/^transfer-encoding: *chunked/mi', $headers)) {
        return $sent;
    }
    $body = '';
    for ($at = 0; preg_match('/\G([0-9a-f]+)[^\r\n]*\r\n/i', $sent, $head, 0, $at); $at += $size + 2) {
        $size = (int) hexdec($head[1]);
        if ($size === 0) {
            return $body;
        }
        $at += strlen($head[0]);
        $body .= substr($sent, $at, $size);
    }
    return false;
}

/**
 * Charges a stored card, once for each key: `token`, `amount`, `reference` and `reason`. Read `status`: a declined card is no
 * exception, `sent` is not decided yet, and `unknown` may have been charged: a person looks it up, and nobody charges again.
 */
function innkeep_charge(string $key, array $charge): array
{
    return innkeep('POST', '/v1/charges', $charge, $key);
}

/**
 * Refunds money of a payment (`cs_…` or `ch_…`), once for each key; without an amount all that is left. A session that was paid
 * twice takes the number of the attempt. Read `status` as with a charge.
 */
function innkeep_refund(string $key, string $payment, ?array $amount = null, ?int $attempt = null): array
{
    $given = ['payment' => $payment, 'amount' => $amount, 'attempt' => $attempt];
    return innkeep('POST', '/v1/reversals', array_filter($given, fn (mixed $value): bool => $value !== null), $key);
}

/** An address that pays a session, its QR code and until when: `url`, `qrUrl`, `expiresAt`. The same key has the same link. */
function innkeep_link(string $key, string $sessionId): array
{
    return innkeep('POST', '/v1/checkout-sessions/' . rawurlencode($sessionId) . '/link', null, $key);
}

/** The table of all that was completed from one day to before another (`2026-11-01`, UTC), a year at most. For the monthly statement. */
function innkeep_csv(string $from, string $to): string
{
    [$status, $body] = innkeep_send('GET', '/v1/export.csv?' . http_build_query(['completedFrom' => $from, 'completedTo' => $to]));
    if ($status !== 200) {
        innkeep_read($status, $body);
    }
    return $body;
}

/**
 * The one session of a booking, with a client secret for its page: the same key has the same session, however many attempts it takes
 * to pay it. Another price or text reaches the next attempt, never a guest who is paying: `outdated` says so.
 */
function innkeep_ensure_session(string $key, array $wanted): array
{
    return innkeep('PUT', '/v1/checkout-sessions/by-key/' . rawurlencode($key), $wanted);
}

/**
 * Receives a webhook: answers 204 once `$handle` has returned, and 400 to what the proxy did not sign. When `$handle` throws or ends the
 * script, or the secret is none, it is a 500, and the proxy sends the event again. What `$handle` prints goes nowhere. Work that does
 * not have to succeed belongs after this call and `fastcgi_finish_request()`.
 */
function innkeep_receive_webhook(callable $handle): void
{
    // What ends by `die`, or by a fatal error that PHP shows, would be a 200: handled, for good.
    http_response_code(500);
    // The first output would send the status.
    $level = ob_get_level();
    ob_start();
    $event = innkeep_event((string) file_get_contents('php://input'));
    if ($event !== null) {
        $handle($event);
    }
    // As many as there are: `$handle` may have closed it, or left others open.
    while (ob_get_level() > $level && ob_end_clean()) {
    }
    http_response_code($event === null ? 400 : 204);
}

/** The event in a webhook's raw body, or null when it is not the proxy's. Signed as Standard Webhooks says. */
function innkeep_event(string $body, string $secret = INNKEEP_WEBHOOK_SECRET): ?array
{
    $id = $_SERVER['HTTP_WEBHOOK_ID'] ?? '';
    $timestamp = $_SERVER['HTTP_WEBHOOK_TIMESTAMP'] ?? '';
    $signatures = explode(' ', $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? '');
    $key = base64_decode(substr($secret, strlen('whsec_')), true);
    // With an empty key anybody could sign.
    if ($key === false || strlen($key) < 24) {
        throw new RuntimeException('That is not a webhook secret, whsec_….');
    }
    // Five minutes either way, so that an old message cannot be sent again.
    if (!preg_match('/^\d{1,12}$/D', $timestamp) || abs(time() - (int) $timestamp) > 300) {
        return null;
    }
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
    foreach ($signatures as $signature) {
        if (hash_equals($expected, $signature)) {
            return json_decode($body, true, 64, JSON_THROW_ON_ERROR);
        }
    }
    return null;
}
