/** One environment variable that the command reads. */
export interface EnvironmentVariable {
  readonly name: string;
  /** What it holds, as `--help` says it. */
  readonly description: string;
}

/** Every environment variable that the command reads. Secrets come from here, a file or a prompt, never as arguments. */
export const ENVIRONMENT: readonly EnvironmentVariable[] = [
  { name: 'INNKEEP_ENDPOINT', description: 'address of the proxy, for instance https://pay.hotel.example' },
  { name: 'INNKEEP_SECRET_KEY', description: 'the merchant key, sk_…; never an argument: shells remember those' },
  { name: 'INNKEEP_PLATFORM_KEY', description: 'an operator’s key for many hotels, pk_…; never an argument either' },
  { name: 'INNKEEP_PERSON', description: 'id of whoever gives the command, for the audit' },
  { name: 'INNKEEP_WEBHOOK_SECRET', description: 'what listen --forward-to signs with, whsec_…' },
  { name: 'INNKEEP_CARD_TOKEN', description: 'the stored-card token that charge create charges' },
  { name: 'INNKEEP_UPSTREAM_USERNAME', description: 'user at the payment service, for hotel add' },
  { name: 'INNKEEP_UPSTREAM_PASSWORD', description: 'password at the payment service, for hotel add and hotel set' },
  { name: 'INNKEEP_UPSTREAM_PREVIOUS_PASSWORD', description: 'the password before it, for hotel set' },
  {
    name: 'INNKEEP_GATEWAY_API_KEY',
    description: 'key of the property-management gateway, for hotel add and hotel set',
  },
  { name: 'INNKEEP_DEBUG', description: '1 adds where a failure happened' },
];
