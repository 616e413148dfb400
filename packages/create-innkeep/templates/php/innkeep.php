<?php

declare(strict_types=1);

/** A refusal of the proxy; `problem` has its `code`. */
final class InnkeepProblem extends RuntimeException
{
    public function __construct(public readonly array $problem)
    {
        parent::__construct("The payment proxy answered {$problem['status']} {$problem['code']}: {$problem['detail']}");
    }
}

/** Calls the proxy's merchant API. Throws InnkeepProblem for a refusal, and another RuntimeException when there is no answer. */
function innkeep(string $method, string $path, ?array $body = null, ?string $idempotencyKey = null): array
{
    $headers = ['Authorization: Bearer ' . INNKEEP_SECRET_KEY];
    if ($body !== null) {
        $headers[] = 'Content-Type: application/json';
    }
    if ($idempotencyKey !== null) {
        $headers[] = 'Idempotency-Key: ' . $idempotencyKey;
    }
    $answer = @file_get_contents(INNKEEP_ENDPOINT . $path, false, stream_context_create(['http' => [
        'method' => $method,
        'header' => $headers,
        'content' => $body === null ? '' : json_encode($body, JSON_THROW_ON_ERROR),
        'timeout' => 30,
        'ignore_errors' => true,
        // A redirect would carry the key to somewhere else.
        'follow_location' => 0,
    ]]));
    if ($answer === false) {
        throw new RuntimeException("The payment proxy did not answer $method $path.");
    }
    $status = (int) explode(' ', $http_response_header[0])[1];
    $data = json_decode($answer, true, 64, JSON_THROW_ON_ERROR);
    if ($status >= 300) {
        throw isset($data['code']) ? new InnkeepProblem($data) : new RuntimeException("The payment proxy answered $status.");
    }
    return $data;
}

/**
 * The one session of a booking, with a client secret for its page. The same booking has the same session. With another price or
 * text the earlier one is ended, unless the guest is paying it: then it is answered, with the earlier amount. One that ended
 * without money is followed by another try.
 */
function innkeep_ensure_session(string $key, array $wanted): array
{
    for ($attempt = 1; ; $attempt++) {
        try {
            $session = innkeep('POST', '/v1/checkout-sessions', $wanted, "$key-$attempt");
        } catch (InnkeepProblem $refused) {
            if ($refused->problem['code'] !== 'idempotency_mismatch') {
                throw $refused;
            }
            $session = innkeep_end($refused->problem['resource']);
        }
        $nextKey = rawurlencode("$key-" . ($attempt + 1));
        $isLast = $attempt === 100;
        if (innkeep_is_over($session) && !$isLast && innkeep('GET', "/v1/checkout-sessions?idempotencyKey=$nextKey")['data'] === []) {
            // A last look before another try: the guest may have paid after all, here or through a payment link.
            $session = innkeep('POST', "/v1/checkout-sessions/{$session['id']}/refresh");
            $session = innkeep_is_over($session) ? innkeep_end($session['id']) : $session;
        }
        if ($isLast || !innkeep_is_over($session)) {
            break;
        }
    }
    $session['clientSecret'] ??= innkeep('POST', "/v1/checkout-sessions/{$session['id']}/client-secret")['clientSecret'];
    return $session;
}

/** Whether a session was not paid and can no longer be. `unknown` is not that certain. */
function innkeep_is_over(array $session): bool
{
    return $session['final'] && $session['status'] !== 'succeeded';
}

/** Ends a session and its payment links, until the proxy says that nothing is left to end. Answers with the last one. */
function innkeep_end(string $id): array
{
    for ($asked = 0; $asked < 3; $asked++) {
        try {
            innkeep('POST', "/v1/checkout-sessions/$id/expire");
        } catch (InnkeepProblem $refused) {
            if (!in_array($refused->problem['code'], ['payment_in_progress', 'session_not_open'], true)) {
                throw $refused;
            }
            return innkeep('GET', "/v1/checkout-sessions/{$refused->problem['resource']}");
        }
    }
    return innkeep('GET', "/v1/checkout-sessions/$id");
}

/**
 * Receives a webhook: answers 204 once `$handle` has returned, and 400 to what the proxy did not sign. What `$handle` throws
 * becomes a 500, and the proxy sends the event again.
 */
function innkeep_receive_webhook(callable $handle): void
{
    $event = innkeep_event((string) file_get_contents('php://input'));
    if ($event === null) {
        http_response_code(400);
        return;
    }
    try {
        $handle($event);
        http_response_code(204);
    } catch (Throwable $error) {
        http_response_code(500);
        throw $error;
    }
}

/** The event in a webhook's raw body, or null when it is not the proxy's. Signed as Standard Webhooks says. */
function innkeep_event(string $body): ?array
{
    $id = $_SERVER['HTTP_WEBHOOK_ID'] ?? '';
    $timestamp = $_SERVER['HTTP_WEBHOOK_TIMESTAMP'] ?? '';
    $signatures = explode(' ', $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? '');
    $key = base64_decode(substr(INNKEEP_WEBHOOK_SECRET, strlen('whsec_')), true);
    // With an empty key anybody could sign.
    if ($key === false || strlen($key) < 24) {
        throw new RuntimeException('INNKEEP_WEBHOOK_SECRET is not a webhook secret.');
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
