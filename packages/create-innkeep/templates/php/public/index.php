<?php

declare(strict_types=1);

require __DIR__ . '/../config.php';
require __DIR__ . '/../innkeep.php';

// Stands in for your bookings. The amount comes from here, never from the page. 33000 is 330.00 EUR.
const BOOKINGS = [
    'RES-1234' => [
        'reference' => 'RES-1234',
        'description' => '2 nights',
        'total' => ['value' => 33000, 'currency' => 'EUR'],
    ],
];

$path = (string) parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);

if ($path === '/hooks') {
    innkeep_receive_webhook(function (array $event): void {
        // Update the booking here: confirm it when the session is `succeeded`, release it when it is `expired` and `final`. After
        // `checkout.attempt_failed` the guest can try again, and the booking stays on hold, only while the session is `open`. Events
        // may come twice and out of order, so read the session instead of trusting the order.
        if (str_starts_with($event['type'], 'checkout.')) {
            $session = innkeep('GET', '/v1/checkout-sessions/' . $event['data']['object']['id']);
            error_log("{$session['reference']} is {$session['status']}");
        }
    });
    return;
}

// The elements' files, served from your own site.
if (preg_match('~^/innkeep/((?:locales/)?[\w-]+\.js(?:on)?)$~D', $path, $match)) {
    $file = __DIR__ . '/../node_modules/@innkeep/widgets/dist/cdn/' . $match[1];
    if (!is_file($file)) {
        http_response_code(404);
        return;
    }
    header('Content-Type: ' . (str_ends_with($file, '.js') ? 'text/javascript' : 'application/json'));
    readfile($file);
    return;
}

if ($path === '/') {
    header('Location: /bookings/RES-1234');
    return;
}

// A real site also asks whether this guest may see this booking.
$isKnown = preg_match('~^/bookings/([\w-]+)(/paid)?$~D', $path, $match) && isset(BOOKINGS[$match[1]]);
if (!$isKnown) {
    http_response_code(404);
    return;
}
$booking = BOOKINGS[$match[1]];
$hasReturned = isset($match[2]);
// The booking's one session, however often and wherever its page is loaded, and whatever became of earlier attempts to pay.
$session = $hasReturned ? null : innkeep_ensure_session($booking['reference'], [
    'kind' => 'payment',
    'amount' => $booking['total'],
    'reference' => $booking['reference'],
    'description' => $booking['description'],
    'returnUrl' => SITE_URL . "/bookings/{$booking['reference']}/paid",
]);

// The page holds a client secret: no cache may keep it.
header('Cache-Control: no-store');
header("Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self' " . INNKEEP_ENDPOINT . "; base-uri 'none'; form-action 'self'; frame-ancestors 'none'");
?>
<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width">
    <title>Hotel Aurora</title>
    <link rel="icon" href="data:,">
    <script type="module" src="/innkeep/widgets.js"></script>
  </head>
  <body>
    <?php if ($hasReturned) { ?>
      <payment-status></payment-status>
      <a href="/bookings/<?= htmlspecialchars($booking['reference']) ?>">Back to your booking</a>
    <?php } else { ?>
      <pay-widget
        endpoint="<?= htmlspecialchars(INNKEEP_ENDPOINT) ?>"
        client-secret="<?= htmlspecialchars($session['clientSecret']) ?>"
      ></pay-widget>
    <?php } ?>
  </body>
</html>
