<?php

// As much of cURL as the guide calls, where PHP was built without it. By a socket, since allow_url_fopen is off then.

declare(strict_types=1);

foreach (['CUSTOMREQUEST', 'HTTPHEADER', 'TIMEOUT', 'RETURNTRANSFER', 'FOLLOWLOCATION', 'POSTFIELDS'] as $option) {
    define("CURLOPT_$option", $option);
}
const CURLINFO_RESPONSE_CODE = 'status';

function curl_init(string $url): ArrayObject
{
    return new ArrayObject(['url' => $url, 'status' => 0]);
}

function curl_setopt_array(ArrayObject $call, array $options): bool
{
    // Whatever is left out has the default of the real one: GET, printed, no redirect followed, no limit of time.
    $call['options'] = $options;
    return true;
}

function curl_exec(ArrayObject $call): string|false
{
    $options = $call['options'];
    if ($options['TIMEOUT'] !== 40 || $options['RETURNTRANSFER'] !== true || $options['FOLLOWLOCATION'] !== false) {
        throw new LogicException('cURL would print the answer, follow a redirect or wait for another time');
    }
    ['host' => $host, 'port' => $port, 'path' => $path] = $parts = parse_url($call['url']);
    $stream = @fsockopen($host, $port, timeout: 5);
    if ($stream === false) {
        return false;
    }
    $body = $options['POSTFIELDS'] ?? '';
    $target = $path . (isset($parts['query']) ? "?{$parts['query']}" : '');
    $lines = ["{$options['CUSTOMREQUEST']} $target HTTP/1.0", "Host: $host:$port", ...$options['HTTPHEADER']];
    if ($body !== '') {
        $lines[] = 'Content-Length: ' . strlen($body);
    }
    fwrite($stream, implode("\r\n", $lines) . "\r\n\r\n" . $body);
    [$head, $answer] = explode("\r\n\r\n", stream_get_contents($stream), 2);
    $call['status'] = (int) explode(' ', $head)[1];
    return $answer;
}

function curl_getinfo(ArrayObject $call, string $what): int
{
    return $call[$what];
}
