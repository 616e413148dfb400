<?php

declare(strict_types=1);

// A mistake belongs into the log: PHP without a php.ini shows it to the guest, with a status of 200.
ini_set('display_errors', '0');

// Set by `npm run dev`; in production by whatever runs the site. Outside of public, so no browser can ask for it.
define('SITE_URL', (string) getenv('SITE_URL'));
define('INNKEEP_ENDPOINT', (string) getenv('INNKEEP_ENDPOINT'));
define('INNKEEP_SECRET_KEY', (string) getenv('INNKEEP_SECRET_KEY'));
define('INNKEEP_WEBHOOK_SECRET', (string) getenv('INNKEEP_WEBHOOK_SECRET'));
