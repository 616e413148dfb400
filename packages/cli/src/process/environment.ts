/** Every environment variable that the command reads, and what it holds, as `--help` says it. Secrets come from here, a file or a prompt, never as arguments. */
export const ENVIRONMENT: Readonly<Record<string, string>> = {
  INNKEEP_ENDPOINT: 'address of the proxy, for instance https://pay.hotel.example',
  INNKEEP_SECRET_KEY: 'the merchant key, sk_…; never an argument: shells remember those',
  INNKEEP_PLATFORM_KEY: 'a platform’s key for many hotels, pk_…; never an argument either',
  INNKEEP_PERSON: 'id of the person who gives the command, for the audit',
  INNKEEP_WEBHOOK_SECRET: 'what listen --forward-to signs with, whsec_…',
  INNKEEP_CARD_TOKEN: 'the stored-card token that charge create charges',
  INNKEEP_UPSTREAM_USERNAME: 'user at the payment service, for hotel add',
  INNKEEP_UPSTREAM_PASSWORD: 'password at the payment service, for hotel add and hotel set',
  INNKEEP_UPSTREAM_PREVIOUS_PASSWORD: 'the previous password, for hotel set',
  INNKEEP_GATEWAY_API_KEY: 'key of the property-management gateway, for hotel add and hotel set',
  INNKEEP_DEBUG: '1 also prints where a failure happened',
};
