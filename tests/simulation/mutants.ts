/** Defects put into the proxy on purpose, to see whether the simulation finds them. */

/** A text that is replaced while the proxy is loaded. */
interface Edit {
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

export type Mutant = ReturnType<typeof mutant>;

/** A defect: its name, what goes wrong with it, and where it is put in. */
function mutant(name: string, means: string, ...edits: readonly Edit[]) {
  return { name, means, edits };
}

export const MUTANTS: readonly Mutant[] = [
  mutant('key-not-scoped', 'another hotel’s charge comes back as a replay', {
    file: 'money/money-operations.ts',
    from: '[property, kind, key]',
    to: '[kind, key]',
  }),
  mutant('error-outweighs-done', 'state 1 after state 2 is not believed', {
    file: 'sessions/attempt-watch.ts',
    from: 'watch: { ...watch, doneSeenAt: watch.doneSeenAt ?? now,',
    to: 'watch: { ...watch, doneSeenAt: watch.errorSeenAt === null ? now : null,',
  }),
  mutant('old-places-kept', 'a payment that was refunded in part counts twice in the totals', {
    file: 'ledger/payment-table.ts',
    from: 'if (next?.has(JSON.stringify(entry)) === false) this.#delete(entry);',
    to: 'if (Date.now() < 0) this.#delete(entry);',
  }),
  mutant('settle-forgotten', 'a reversal forgets to tell its payment before the payment has heard', {
    file: 'money/reversal-allocation.ts',
    from: `      const settlement = settlementOf(record.state);
`,
    to: `      const settlement = settlementOf(record.state);
      this.#host.store.due.clear('settle');
`,
  }),
  mutant('no-claim', 'a reversal asks for a share and writes nothing down before', {
    file: 'money/reversal-allocation.ts',
    from: `      store.addClaim({ id, payment, property, epoch });
`,
    to: '',
  }),
  mutant('release-while-creating', 'a share is released while its reversal is being made', {
    file: 'money/reversal-allocation.ts',
    from: `    if (isCreating()) {
      store.due.set('release'`,
    to: `    if (Date.now() < 0) {
      store.due.set('release'`,
  }),
  mutant('create-while-releasing', 'a reversal is made while its share is being released', {
    file: 'money/money-operation-object.ts',
    from: `    await this.#allocation.releasing;
    const existing`,
    to: '    const existing',
  }),
  mutant(
    'failed-update-taken-as-sent',
    'an update that the ledger has not taken is due later, and the disk says it was due before',
    {
      file: 'records/record-storage.ts',
      from: `      this.#change({});
      this.due.set(SEND_UPDATES`,
      to: '      this.due.set(SEND_UPDATES',
    },
  ),
  mutant('moved-alarm-believed', 'an alarm that the launcher has moved counts as set for that time', {
    file: 'objects/moved-alarms.ts',
    from: 'info.scheduledTime > movedUntil ? info.scheduledTime : undefined',
    to: 'movedUntil >= 0 ? info.scheduledTime : undefined',
  }),
  mutant('settle-frees-reversed', 'a late release frees what was refunded', {
    file: 'records/shares.ts',
    from: "if (isOfNewer || own?.state === 'reversed') return shares;",
    to: 'if (isOfNewer && Date.now() < 0) return shares;',
  }),
  mutant('creating-ignored', 'a charge that is being made is no duplicate', {
    file: 'money/money-operation-object.ts',
    from: "if (this.#creating !== undefined) return 'undecided';",
    to: '',
  }),
  mutant('older-version-listed', 'an older version overwrites a newer one in lists', {
    file: 'ledger/ledger-storage.ts',
    from: 'WHERE excluded.seq > resource.seq',
    to: 'WHERE excluded.seq > 0',
  }),
  mutant('deadline-cuts-start', 'the deadline does not wait for a start that came in time', {
    file: 'sessions/session-attempts.ts',
    from: `    await this.hostedStart.underWay;
`,
    to: '',
  }),
  mutant('one-fault-is-outage', 'one hosted request that cannot be read stops all charges', {
    file: 'upstream/upstream-health.ts',
    from: 'const ENOUGH = 3;',
    to: 'const ENOUGH = 1;',
  }),
  mutant('no-late-polls', 'a success after state 2 is never noticed', {
    file: 'sessions/polling-schedule.ts',
    from: 'pollWhilePending(input, after) : pollAfterEnd(input, after);',
    to: 'pollWhilePending(input, after) : undefined;',
  }),
  mutant(
    'error-not-held-against-record',
    'state 2 is a failure without reading the record',
    {
      file: 'sessions/attempt-watcher.ts',
      from: 'watch.doneSeenAt !== null || watch.errorSeenAt !== null;',
      to: 'watch.doneSeenAt !== null;',
    },
    {
      file: 'sessions/attempt-watch.ts',
      from: '      return { watch: { ...next, recheckAt: errorDecidedAt(next) ?? now } };',
      to: '      return concludeError(next, now);',
    },
  ),
  mutant('link-stuck', 'no attempt is ever abandoned: a started link leads to the same page for ever', {
    file: 'sessions/polling-schedule.ts',
    from: 'const MAX_SILENCE_MS: number = HOUR;',
    to: 'const MAX_SILENCE_MS: number = 30 * 24 * HOUR;',
  }),
  mutant('guard-ends-with-success', 'the same charge is made again right after its success', {
    file: 'records/reservations.ts',
    from: 'REPEAT_GUARD_MS: number = 10 * 60_000',
    to: 'REPEAT_GUARD_MS: number = 0',
  }),
  mutant('allowed-leaves-nothing', 'a charge that may be a duplicate does not stand in the way of the next', {
    file: 'money/charge-guard.ts',
    from: '    const claimed: Outcome<string[]> =',
    to: `    if (isAllowed) return undefined;
    const claimed: Outcome<string[]> =`,
  }),
  mutant('sent-unsynced', 'a charge leaves before the disk has that it was sent', {
    file: 'money/money-sender.ts',
    from: `    await store.sync();
`,
    to: '',
  }),
  mutant('endpoints-wait', 'an endpoint that hangs keeps events from the others', {
    file: 'ledger/webhook-sender.ts',
    from: 'this.#loops.set(key, this.#run(key));',
    to: 'this.#loops.set(key, Promise.allSettled([...this.#loops.values()]).then(() => this.#run(key)));',
  }),
  mutant('duplicate-untold', 'payments of two sessions of one booking are told to nobody', {
    file: 'ledger/ledger-object.ts',
    from: `        if (isNewer && before?.status !== 'succeeded') this.#events.appendDuplicates(update, receivers);
`,
    to: '',
  }),
  mutant('refusal-forgets-claim', 'an attempt that is refused forgets an earlier one that is on its way', {
    file: 'money/reversal-allocation.ts',
    from: `    if (earlier === undefined) await store.erase();
`,
    to: `    await store.erase();
`,
  }),
  mutant('starts-side-by-side', 'two starts at the same time open a page each', {
    file: 'sessions/hosted-start.ts',
    from: 'if (this.#starting !== undefined) {',
    to: 'if (this.#starting !== undefined && Date.now() < 0) {',
  }),
  mutant('expired-while-starting', 'a session is ended by hand while its page is being opened', {
    file: 'sessions/checkout-session-object.ts',
    from: "if (record.state === 'pending' || this.#attempts.hostedStart.underWay !== undefined) {",
    to: "if (found.value.state === 'pending') {",
  }),
  mutant('changed-while-starting', 'other terms take effect while a page is being opened', {
    file: 'sessions/session-of-key.ts',
    from: "(state === 'open' && attempts.hostedStart.underWay !== undefined)",
    to: 'false',
  }),
  mutant('next-unasked', 'an attempt begins without asking how the one before ended', {
    file: 'sessions/hosted-start.ts',
    from: 'if (earlier.length > 0) {',
    to: 'if (earlier.length > 20) {',
  }),
  mutant('abandoned-unasked', 'only the newest of the attempts before is asked about', {
    file: 'sessions/hosted-start.ts',
    from: "status === 'abandoned' || (index === length - 1 && endedWithoutMoney(status))",
    to: 'index === length - 1 && endedWithoutMoney(status)',
  }),
  mutant(
    'returned-pays-again',
    'a guest who came back as having paid is led to another page once the attempt was given up',
    {
      file: 'sessions/attempt-record.ts',
      from: 'now < mayBePaidUntil(attempt));',
      to: "(attempt.status !== 'abandoned' && now < mayBePaidUntil(attempt)));",
    },
  ),
  mutant(
    'returned-after-failure-pays-again',
    'a guest who came back as having paid after a failure is led to another page',
    {
      file: 'sessions/attempt-record.ts',
      from: 'now < mayBePaidUntil(attempt));',
      to: "(attempt.status === 'abandoned' && now < mayBePaidUntil(attempt)));",
    },
  ),
  mutant('no-answer-is-unpaid', 'an attempt begins although nobody answers how the one before ended', {
    file: 'sessions/attempt-watcher.ts',
    from: 'return (wasAnswered || isLongOver(attempt)) && !hasUnclearMoney(attempt);',
    to: 'return !hasUnclearMoney(attempt);',
  }),
  mutant('done-is-unpaid', 'an attempt begins although one before is done, and its record cannot be read yet', {
    file: 'sessions/attempt-record.ts',
    from: 'return watch.doneSeenAt !== null || watch.contradictionAt !== null;',
    to: 'return watch.contradictionAt !== null;',
  }),
  mutant('paid-ends-watch', 'once a session is paid, nobody looks at its other attempts', {
    file: 'sessions/attempt-watcher.ts',
    from: 'if (session === undefined) return undefined;',
    to: "if (session === undefined || session.state === 'succeeded') return undefined;",
  }),
  mutant('second-success-untold', 'the second payment of a session is told as if it were the first', {
    file: 'sessions/session-transition.ts',
    from: "if (first === undefined) return { type: 'checkout.succeeded' };",
    to: "if (first === undefined || Date.now() > 0) return { type: 'checkout.succeeded' };",
  }),
  mutant('terms-unasked', 'a guest pays what the session asks by now, whatever the page showed', {
    file: 'sessions/hosted-start.ts',
    from: 'if (terms !== record.terms.version) return termsChanged(record);',
    to: '',
  }),
  mutant('terms-never-grow', 'another amount has the number of the one before', {
    file: 'sessions/session-transition.ts',
    from: 'terms.version : terms.version + 1',
    to: 'terms.version : terms.version',
  }),
  mutant('pending-takes-any-terms', 'a page that shows the price by now leads to one that asks the price before', {
    file: 'sessions/hosted-start.ts',
    from: 'if (pending.terms.version !== terms) return termsChanged(record);',
    to: '',
  }),
  mutant('key-for-a-minute', 'a key has another session each minute', {
    file: 'sessions/session-routes.ts',
    from: "'checkout_session_by_key', key]",
    to: "'checkout_session_by_key', key, String(Math.floor(Date.now() / 60_000))]",
  }),
  mutant('secret-for-a-call', 'every call of a key ends the client secret of the one before', {
    file: 'sessions/client-secrets.ts',
    from: 'if (before !== undefined && (!rotate || isReplay)) {',
    to: 'if (before !== undefined && isReplay) {',
  }),
  mutant('ended-secret-lives', 'a session that was ended by hand is opened anew with the same client secret', {
    file: 'sessions/session-of-key.ts',
    from: "current.closed?.by === 'merchant' ? await endSecrets(current) : undefined",
    to: 'undefined',
  }),
  mutant('ended-link-lives', 'the links of a session that was ended by hand come back with it', {
    file: 'sessions/session-transitions.ts',
    from: "if (event.is === 'offered' && before?.closed?.by === 'merchant') this.#store.renew(next.attempts.length);",
    to: '',
  }),
  mutant('opened-anew-unwatched', 'nobody looks at the abandoned attempts of a session that was opened anew', {
    file: 'sessions/session-transitions.ts',
    from: 'if (due.get(pollKind(number)) === undefined) this.#planPoll(next, number, now);',
    to: '',
  }),
  mutant('event-of-session', 'the events of all versions of a session have one id', {
    file: 'http/ids.ts',
    from: 'JSON.stringify([id, createdAt, seq])',
    to: 'JSON.stringify([id, createdAt])',
  }),
  mutant('start-told', 'a start is told as if its outcome were in doubt', {
    file: 'sessions/session-transition.ts',
    from: `  if (attempt === undefined) return null;
`,
    to: `  if (event.is === 'started') return { type: 'checkout.unknown' };
  if (attempt === undefined) return null;
`,
  }),
  mutant('one-payment-per-session', 'what is refunded is always counted against the first payment of a session', {
    file: 'sessions/session-payment.ts',
    from: 'paid.find(({ number }) => wanted === null || number === wanted)',
    to: 'paid[0]',
  }),
  mutant('cap-of-session', 'what is refunded of one attempt counts against the others, too', {
    file: 'records/shares.ts',
    from: 'others.filter(({ attempt }) => attempt === asked.attempt)',
    to: 'others',
  }),
  mutant('settled-early', 'an expired session is final an hour after its last abandoned attempt', {
    file: 'sessions/session-status.ts',
    from: 'Math.max(0, ...attempts.map(mayBePaidUntil))',
    to: 'Math.max(0, ...attempts.map(mayBePaidUntil)) - 23 * 60 * 60_000',
  }),
  mutant('settled-untold', 'nobody is told that an expired session is final', {
    file: 'sessions/session-transition.ts',
    from: "if (event.is === 'closed' || event.is === 'settled')",
    to: "if (event.is === 'closed')",
  }),
  mutant('publish-forgotten', 'the directory never hears of a change', {
    file: 'properties/property-object.ts',
    from: 'await this.#directory().publish(',
    to: 'if (version === 1) await this.#directory().publish(',
  }),
  mutant('told-before-it-counts', 'a change is acknowledged although the directory has not heard of it', {
    file: 'properties/property-object.ts',
    from: "      return refuse('internal', NOT_TOLD);",
    to: '      return undefined;',
  }),
  mutant('copy-never-forgotten', 'a copy of a configuration is kept although it has changed', {
    file: 'properties/property-copies.ts',
    from: 'const age = copy === undefined || now < copy.readAt ? Number.POSITIVE_INFINITY : now - copy.readAt;',
    to: 'const age = copy === undefined ? Number.POSITIVE_INFINITY : 0;',
  }),
  mutant('removed-begins', 'a hotel that was removed opens pages', {
    file: 'sessions/hosted-start.ts',
    from: 'if (property.isRemoved) return',
    to: 'if (Date.now() < 0) return',
  }),
  mutant('removed-serves', 'the keys of a hotel that was removed go on', {
    file: 'properties/properties.ts',
    from: 'if (property === undefined || property.isRemoved) return undefined;',
    to: 'if (property === undefined) return undefined;',
  }),
  mutant('version-unasked', 'a change is made whatever version it was meant for', {
    file: 'properties/property-object.ts',
    from: 'return expected?.includes(newest.version) ? undefined',
    to: 'return newest.version > 0 ? undefined',
  }),
  mutant('removal-unasked', 'a hotel is removed by whoever has not read it', {
    file: 'properties/property-object.ts',
    from: "if (expected === undefined) return refuse('precondition_required', UNCONDITIONAL);",
    to: "if (expected === undefined) return edit.action === 'removed' ? undefined : refuse('precondition_required', UNCONDITIONAL);",
  }),
  mutant('removed-keeps-keys', 'the keys of a hotel that was removed stay claimed', {
    file: 'properties/property-object.ts',
    from: 'property.isRemoved ? [] : (fields',
    to: '(fields',
  }),
  mutant('hint-believed', 'a key is looked for at the hotel that had it when somebody asked last', {
    file: 'properties/properties.ts',
    from: 'return found === undefined && id !== undefined ? principalOf(await ownerOf(hash, id), hash) : found;',
    to: 'return found;',
  }),
  mutant('keys-unclaimed', 'nobody looks whether a key is another hotel’s', {
    file: 'properties/property-object.ts',
    from: '.announce(id, version, hashes)',
    to: '.announce(id, version, [])',
  }),
  mutant('reseal-forgets-history', 'only the newest version is sealed anew', {
    file: 'properties/property-object.ts',
    from: 'limit: ALL_VERSIONS',
    to: 'limit: 1',
  }),
  mutant('unreadable-called-wrong', 'the key of a hotel that cannot be read right now is called wrong', {
    file: 'properties/properties.ts',
    from: "return property.invalid ? { property, key: { id: 'unknown', sha256: hash, scopes: [] } } : undefined;",
    to: 'return undefined;',
  }),
  mutant(
    'removed-keeps-old-seal',
    'a hotel that is removed while everything is sealed anew stays under the older key',
    {
      file: 'properties/property-object.ts',
      from: 'const kept = text === null ? (this.#store.newest()?.sealed ?? null) : sealed;',
      to: 'const kept = text === null ? (newest?.sealed ?? null) : sealed;',
    },
  ),
  mutant('operator-unbounded', 'an operator acts for every hotel', {
    file: 'properties/callers.ts',
    from: '  if (!isCovered(id, key.properties)) {',
    to: '  if (id.length === 0) {',
  }),
  mutant('token-goes-along', 'a hotel that goes to another payment service takes its access token along', {
    file: 'upstream/account-of.ts',
    from: 'JSON.stringify([id, baseUrl, customerId, username, ...allowedOrigins])',
    to: 'JSON.stringify([id, customerId, username, ...allowedOrigins])',
  }),
  mutant('feed-cursor-first', 'a ledger counts its events as handed over before the feed has them', {
    file: 'ledger/feed-forwarding.ts',
    from: `        if (heard.length > 0) await feed.append(store.property(), heard);
        store.moveFeed(platform, batch.at(-1)?.position ?? 0);`,
    to: `        store.moveFeed(platform, batch.at(-1)?.position ?? 0);
        if (heard.length > 0) await feed.append(store.property(), heard);`,
  }),
  mutant('feed-takes-twice', 'a feed adds what it has already', {
    file: 'ledger/feed-storage.ts',
    from: 'if (event.position <= seq && this.#has(property, event)) continue;',
    to: '',
  }),
  mutant('feed-of-everybody', 'a platform’s feed has the events of hotels that none of its keys is for', {
    file: 'properties/platforms.ts',
    from: 'platform.keys.filter(readsEvents).some(isFor(hotel))',
    to: 'platform.keys.some(readsEvents)',
  }),
  mutant('feed-shown-whole', 'a key reads the events of hotels that it is not for', {
    file: 'ledger/platform-event-routes.ts',
    from: 'patterns: key.properties',
    to: "patterns: ['*']",
  }),
  mutant('limit-uncounted', 'a limit looks at each reversal alone', {
    file: 'ledger/reversal-limit-table.ts',
    from: 'const left = (limit[currency] ?? 0) - sum;',
    to: 'const left = (limit[currency] ?? 0) - Math.min(sum, 0);',
  }),
  mutant('audit-twice', 'what the ledger hears again is in the audit again', {
    file: 'ledger/audit-table.ts',
    from: `      at,
      id,
      JSON.stringify(entry),`,
    to: `      at,
      id + Math.random(),
      JSON.stringify(entry),`,
  }),
];

export function findMutant(name: string): Mutant {
  const found = MUTANTS.find((candidate) => candidate.name === name);
  if (found !== undefined) return found;
  throw new Error(`There is no mutant ${name}; there are: ${MUTANTS.map((each) => each.name).join(', ')}`);
}
